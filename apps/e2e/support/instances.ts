import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newId } from '@sheaf/kernel';
import { runningDatabaseUrl, type Credentials } from '@sheaf/testing';
import { Client } from 'pg';

const workspaces = join(__dirname, '../../../dist/apps/workspaces/main.cjs');

/** One more instance in a running system, as its operator makes it. Rejects with what the command said if it refuses. */
export async function createInstance(dataDir: string, wanted: { slug: string; domain?: string }): Promise<Omit<Credentials, 'base_url'>> {
  const file = join(dataDir, `${wanted.slug}.json`);
  const domain = wanted.domain === undefined ? [] : ['--domain', wanted.domain];
  await promisify(execFile)(
    process.execPath,
    [workspaces, 'create-instance', '--slug', wanted.slug, '--name', wanted.slug, '--email', `owner@${wanted.slug}.example`, '--credentials', file, ...domain],
    { env: { PATH: process.env.PATH, DATABASE_URL: await runningDatabaseUrl(dataDir, 'workspaces') }, timeout: 30_000 },
  ).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout);
  });
  return JSON.parse(await readFile(file, 'utf8')) as Omit<Credentials, 'base_url'>;
}

/** One more workspace in the instance of another one, with a single member who need not be its owner: no door of the system makes that. */
export async function createWorkspace(dataDir: string, beside: string, member: { id: string; role: string }): Promise<string> {
  const client = new Client({ connectionString: await runningDatabaseUrl(dataDir, 'workspaces'), connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  await client.connect();
  try {
    const id = newId();
    await client.query(
      `insert into workspace (id, instance_id, name, slug, color, created_at, updated_at)
       select $1, instance_id, 'Second workspace', $2, '', now(), now() from workspace where id = $3`,
      [id, `second-${id}`, beside],
    );
    await client.query(
      `insert into member (workspace_id, instance_id, person_id, role, is_default, created_at)
       select id, instance_id, $2, $3, false, now() from workspace where id = $1`,
      [id, member.id, member.role],
    );
    return id;
  } finally {
    await client.end();
  }
}
