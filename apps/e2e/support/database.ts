import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

/** The database of `workspaces` in a running system with an embedded PostgreSQL, as the service itself reaches it. */
export async function workspacesDatabaseUrl(dataDir: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { role_passwords: Record<string, string> };
  return `postgres://sheaf_workspaces:${encodeURIComponent(secrets.role_passwords.workspaces ?? '')}@127.0.0.1:${await portOf(dataDir)}/sheaf_workspaces`;
}

/** The embedded PostgreSQL's superuser, connected to one of the databases. End it when done. */
export async function superuserOf(dataDir: string, database: string): Promise<Client> {
  const { postgres_password: password } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { postgres_password: string };
  const port = Number(await portOf(dataDir));
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  await client.connect();
  return client;
}

/** PostgreSQL notes its port in the fourth line. */
const portOf = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3] ?? '';
