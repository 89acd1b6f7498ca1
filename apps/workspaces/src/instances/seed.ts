import { parseArgs } from 'node:util';
import { systemClock } from '@sheaf/kernel';
import { connectTo, databaseSettings } from '@sheaf/postgres';
import { command, ConfigError } from '@sheaf/runtime';
import { z } from 'zod';
import { createInstance } from './create-instance';
import * as people from '../people/people.queries';
import { writePrivately } from '../operator/write-privately';

const first = { name: 'Sheaf', workspace: { name: 'My workspace', slug: 'my-workspace' }, owner: { name: 'Owner', email: 'owner@sheaf.example' } };

/**
 * `seed --credentials <file> --base-url <url>`: on an empty database makes the first instance with a workspace, its owner and a key,
 * and writes what is needed to use them to the file, readable by its owner only. Does nothing once there is an instance.
 */
export const seedCommand = command(z.object({ DATABASE_URL: databaseSettings.DATABASE_URL }), async ({ config, args, log }) => {
  const { values } = parseArgs({ args: [...args], options: { credentials: { type: 'string' }, 'base-url': { type: 'string' } } });
  const { credentials: file, 'base-url': baseUrl } = values;
  if (file === undefined || baseUrl === undefined) throw new ConfigError('usage: seed --credentials <file> --base-url <url>');

  const db = connectTo(config.DATABASE_URL, 'seed', 2);
  try {
    const seeded = await db.transaction(async (trx) => {
      // Two at once: the second one waits and then finds an instance.
      await trx.raw('select pg_advisory_xact_lock(7346106)');
      if ((await people.onlyInstance(trx)) !== undefined) return false;
      const made = await createInstance(trx, first, systemClock.now());
      // Before the commit: credentials without an instance are overwritten by the next try, an instance without them is locked for ever.
      await writePrivately(file, { base_url: baseUrl, ...made });
      return true;
    });
    log.info({ seeded }, seeded ? 'the first instance was made' : 'there is an instance already');
  } finally {
    await db.destroy();
  }
});
