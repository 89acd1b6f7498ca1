import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { newId, systemClock } from '@sheaf/kernel';
import { connectTo, databaseSettings, type Transaction } from '@sheaf/postgres';
import { command, ConfigError } from '@sheaf/runtime';
import { z } from 'zod';
import * as credentials from './credentials.queries';
import { fingerprint, newKey, shownPrefix } from './key';
import { hashPassword } from './password';
import * as people from './people.queries';

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
      const made = await firstInstance(trx);
      // Before the commit: credentials without an instance are overwritten by the next try, an instance without them is locked for ever.
      await writePrivately(file, JSON.stringify({ base_url: baseUrl, ...made }, null, 2));
      return true;
    });
    log.info({ seeded }, seeded ? 'the first instance was made' : 'there is an instance already');
  } finally {
    await db.destroy();
  }
});

async function firstInstance(trx: Transaction): Promise<{ api_key: string; workspace_id: string; user: { id: string; email: string; password: string } }> {
  const now = systemClock.now();
  const password = randomBytes(12).toString('base64url');
  const key = newKey('user');
  const instance = { id: newId(), name: 'Sheaf', created_at: now };
  const workspace = { id: newId(), instance_id: instance.id, name: 'My workspace', slug: 'my-workspace', color: '', created_at: now, updated_at: now };
  await trx('instance').insert(instance);
  await trx('workspace').insert(workspace);
  const owner = await people.ensurePerson(trx, {
    id: newId(), email: 'owner@sheaf.example', name: 'Owner', avatar_url: '', password_hash: await hashPassword(password), created_at: now,
  });
  await people.insertMember(trx, { workspace_id: workspace.id, instance_id: instance.id, person_id: owner.id, role: 'owner', created_at: now });
  await credentials.insertKey(trx, {
    id: newId(),
    instance_id: instance.id,
    person_id: owner.id,
    service_account_id: null,
    name: 'First key',
    prefix: shownPrefix(key),
    hash: fingerprint(key),
    created_at: now,
    last_used_at: null,
    expires_at: null,
  });
  return { api_key: key, workspace_id: workspace.id, user: { id: owner.id, email: owner.email, password } };
}

async function writePrivately(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(`${text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
