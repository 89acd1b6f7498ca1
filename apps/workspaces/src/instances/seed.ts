import { parseArgs } from 'node:util';
import { systemClock } from '@sheaf/kernel';
import { connectTo, databaseSettings } from '@sheaf/postgres';
import { command, ConfigError } from '@sheaf/runtime';
import { z } from 'zod';
import { createInstance } from './create-instance';
import * as people from '../people/people.queries';
import { writePrivately } from '../operator/write-privately';

const first = {
  name: 'Sheaf',
  workspace: { name: 'My workspace', slug: 'my-workspace' },
  owner: { name: 'Owner', email: 'owner@sheaf.example' },
};

/**
 * `seed --credentials <file> --base-url <url>`: creates the first instance in an empty database, with a workspace, its owner and a key, and
 * writes their credentials to the file, which only its owner can read. Does nothing if an instance exists.
 */
export const seedCommand = command(z.object({ DATABASE_URL: databaseSettings.DATABASE_URL }), async ({ config, args, log }) => {
  const { values } = parseArgs({ args: [...args], options: { credentials: { type: 'string' }, 'base-url': { type: 'string' } } });
  const { credentials: file, 'base-url': baseUrl } = values;
  if (file === undefined || baseUrl === undefined) throw new ConfigError('usage: seed --credentials <file> --base-url <url>');

  const db = connectTo(config.DATABASE_URL, 'seed', 2);
  try {
    const seeded = await db.transaction(async (trx) => {
      // If two run at once, the second one waits here and then finds an instance.
      await trx.raw('select pg_advisory_xact_lock(7346106)');
      if ((await people.onlyInstance(trx)) !== undefined) return false;
      const created = await createInstance(trx, first, systemClock.now());
      // Before the commit: the next run overwrites credentials without an instance, but an instance without credentials is lost forever.
      await writePrivately(file, { base_url: baseUrl, ...created });
      return true;
    });
    log.info({ seeded }, seeded ? 'created the first instance' : 'an instance already exists');
  } finally {
    await db.destroy();
  }
});
