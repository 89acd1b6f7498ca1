import { newId } from '@sheaf/kernel';
import { connectTo, migrate, type Database, type Migration } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';

/** Creates a migrated database for one test, on the PostgreSQL that tools/jest/servers.cjs has started. Destroy it when done. */
export async function freshDatabase(migrations: readonly Migration[]): Promise<{ db: Database; url: string }> {
  const server = new URL(process.env.TEST_DATABASE_URL ?? '');
  // Jest may run several files in one process and reloads this module for each, so a counter would not be unique.
  const name = `test_${newId()}`;
  const admin = connectTo(server.href, 'test', 1);
  await admin.raw('create database ??', [name]);
  await admin.destroy();

  server.pathname = `/${name}`;
  const db = connectTo(server.href, 'test', 10);
  await migrate(db, migrations, silentLog());
  return { db, url: server.href };
}

/** The NATS that tools/jest/servers.cjs has started for this Jest worker; no other test file uses it at the same time. */
export const brokerUrl = (): string => (process.env.TEST_NATS_URLS ?? '').split(' ')[Number(process.env.JEST_WORKER_ID) - 1] ?? '';
