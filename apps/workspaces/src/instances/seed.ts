import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn, systemClock } from '@sheaf/kernel';
import { CommandSettings, openForCommand, type Database } from '@sheaf/postgres';
import { command, ConfigError } from '@sheaf/runtime';
import { z } from 'zod';
import { createSignInLink, signInUrl } from '../sessions/sign-in-links';
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
 * writes their credentials to the file, which only its owner can read. Does nothing if an instance exists. With `--sign-in-link <file>`,
 * writes a link for this owner to that file, unless they have ever signed in.
 */
export const seedCommand = command(CommandSettings, async ({ config, args, log }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { credentials: { type: 'string' }, 'base-url': { type: 'string' }, 'sign-in-link': { type: 'string' } },
  });
  const { credentials: file, 'base-url': baseUrl, 'sign-in-link': linkFile } = values;
  if (file === undefined || baseUrl === undefined)
    throw new ConfigError('usage: seed --credentials <file> --base-url <url> [--sign-in-link <file>]');

  const db = openForCommand(config, 'seed');
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
    if (linkFile !== undefined) await writeSignInLink(db, { credentials: file, baseUrl, linkFile });
    log.info({ seeded }, seeded ? 'created the first instance' : 'an instance already exists');
  } finally {
    await db.destroy();
  }
});

const Owner = z.object({ instance_id: z.string(), user: z.object({ email: z.string() }) });

/** Writes a link for the owner named in the file of credentials, who may be gone, as may be the file. */
async function writeSignInLink(
  db: Database,
  { credentials, baseUrl, linkFile }: { credentials: string; baseUrl: string; linkFile: string },
): Promise<void> {
  const text = await readFile(credentials, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { instance_id, user } = Owner.parse(JSON.parse(text));
  const owner = await people.memberByEmail(db, instance_id, user.email);
  if (owner?.first_signed_in_at !== null) return;
  const asked = { caller: operatorIn(instance_id), call: { requestId: newId() } };
  const { token } = await createSignInLink({ db, outbox: commandOutbox(db), clock: systemClock }, asked, owner);
  await writePrivately(linkFile, { sign_in_url: signInUrl(baseUrl, token) });
}
