import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The database of `workspaces` in a running system with an embedded PostgreSQL, as the service itself reaches it. */
export async function workspacesDatabaseUrl(dataDir: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { role_passwords: Record<string, string> };
  // PostgreSQL notes its port in the fourth line.
  const port = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3] ?? '';
  return `postgres://sheaf_workspaces:${encodeURIComponent(secrets.role_passwords.workspaces ?? '')}@127.0.0.1:${port}/sheaf_workspaces`;
}
