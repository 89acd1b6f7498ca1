import { newId } from '@sheaf/kernel';
import { connectTo, migrate, type Database, type Migration } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';

/** A migrated database of a test's own, on the PostgreSQL that tools/jest/servers.cjs has started. Destroy it when done. */
export async function freshDatabase(migrations: readonly Migration[]): Promise<{ db: Database; url: string }> {
  const server = new URL(process.env.TEST_DATABASE_URL ?? '');
  // Jest may run several files in one process and loads this module anew for each, so no count of ours could tell them apart.
  const name = `test_${newId()}`;
  const admin = connectTo(server.href, 'test', 1);
  await admin.raw('create database ??', [name]);
  await admin.destroy();

  server.pathname = `/${name}`;
  const db = connectTo(server.href, 'test', 10);
  await migrate(db, migrations, silentLog());
  return { db, url: server.href };
}

/** The NATS that tools/jest/servers.cjs has started for this worker of jest's: no other test file is there at the same time. */
export const brokerUrl = (): string => (process.env.TEST_NATS_URLS ?? '').split(' ')[Number(process.env.JEST_WORKER_ID) - 1] ?? '';
