import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '@sheaf/testing';
import { asked } from './operator';

/** Creates another instance in a running system with the operator's tool. Rejects with the tool's message if it fails. */
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

/** Creates another workspace in the instance of an existing one, with its own owner and this member. */
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
