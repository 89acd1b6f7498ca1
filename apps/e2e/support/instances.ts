import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '@sheaf/testing';
import { sheafJson } from './operator';

/** Creates another instance with the operator's tool. Rejects with the tool's error message if it fails. */
export async function createInstance(dataDir: string, options: { slug: string; domain?: string }): Promise<Omit<Credentials, 'base_url'>> {
  const file = join(dataDir, `${options.slug}.json`);
  const domain = options.domain === undefined ? [] : ['--domain', options.domain];
  await sheafJson(
    dataDir,
    'instances',
    'create',
    '--slug',
    options.slug,
    '--name',
    options.slug,
    '--email',
    `owner@${options.slug}.example`,
    '--output',
    file,
    ...domain,
  );
  return JSON.parse(await readFile(file, 'utf8')) as Omit<Credentials, 'base_url'>;
}

/** Creates a workspace in the instance of an existing one, with another owner and this member. */
export async function createWorkspace(dataDir: string, siblingId: string, member: { email: string; role: string }): Promise<string> {
  const owner = `owner-${randomUUID()}@example.org`;
  const { id } = await sheafJson<{ id: string }>(
    dataDir,
    'workspaces',
    'create',
    '--name',
    'Second workspace',
    '--instance',
    siblingId,
    '--owner',
    owner,
  );
  await sheafJson(dataDir, 'users', 'create', '--email', member.email, '--workspace', id, '--role', member.role);
  return id;
}
