import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { hangMs } from './eventually';

/** Opens a service's database in a running system with an embedded PostgreSQL, with the service's own role. */
export async function runningDatabaseUrl(dataDir: string, service: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as { role_passwords: Record<string, string> };
  return `postgres://sheaf_${service}:${encodeURIComponent(secrets.role_passwords[service] ?? '')}@127.0.0.1:${await portOf(dataDir)}/sheaf_${service}`;
}

/** The address of a database for the embedded PostgreSQL's superuser. */
export async function superuserUrl(dataDir: string, database: string): Promise<string> {
  const { postgres_password: password } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8')) as {
    postgres_password: string;
  };
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${await portOf(dataDir)}/${database}`;
}

/** Connects to a database as the embedded PostgreSQL's superuser. End the connection when done. */
export async function superuserOf(dataDir: string, database: string, statementTimeoutMs = hangMs): Promise<Client> {
  const client = new Client({
    connectionString: await superuserUrl(dataDir, database),
    connectionTimeoutMillis: hangMs,
    query_timeout: statementTimeoutMs,
  });
  await client.connect();
  return client;
}

/** PostgreSQL writes its port to the fourth line. */
const portOf = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3] ?? '';
