import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '@sheaf/testing';
import { asked } from './operator';

/** One more instance in a running system, as its operator makes it. Rejects with what the tool said if it refuses. */
export async function createInstance(dataDir: string, wanted: { slug: string; domain?: string }): Promise<Omit<Credentials, 'base_url'>> {
  const file = join(dataDir, `${wanted.slug}.json`);
  const domain = wanted.domain === undefined ? [] : ['--domain', wanted.domain];
  await asked(
    dataDir,
    'instances',
    'create',
    '--slug',
    wanted.slug,
    '--name',
    wanted.slug,
    '--email',
    `owner@${wanted.slug}.example`,
    '--output',
    file,
    ...domain,
  );
  return JSON.parse(await readFile(file, 'utf8')) as Omit<Credentials, 'base_url'>;
}

/** One more workspace in the instance of another one, with an owner of its own and this member. */
export async function createWorkspace(dataDir: string, beside: string, member: { email: string; role: string }): Promise<string> {
  const owner = `owner-${randomUUID()}@example.org`;
  const { id } = await asked<{ id: string }>(
    dataDir,
    'workspaces',
    'create',
    '--name',
    'Second workspace',
    '--instance',
    beside,
    '--owner',
    owner,
  );
  await asked(dataDir, 'users', 'create', '--email', member.email, '--workspace', id, '--role', member.role);
  return id;
}
