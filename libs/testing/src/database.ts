import { createHash } from 'node:crypto';
import { newId } from '@sheaf/kernel';
import { connectTo, migrate, rowsOf, type Database, type Migration } from '@sheaf/postgres';
import { silentLog } from '@sheaf/runtime';
import { hangMs } from './eventually';

/** On a busy machine a statement that fills a table takes longer than a service would wait. */
const patient = { connectMs: hangMs, own: { statement_timeout: String(hangMs), idle_in_transaction_session_timeout: '0' } };

/** Creates a migrated database for one test, on the PostgreSQL that tools/jest/servers.cjs has started. Destroy it when done. */
export async function freshDatabase(migrations: readonly Migration[]): Promise<{ db: Database; url: string }> {
  const server = new URL(process.env.TEST_DATABASE_URL ?? '');
  const urlOf = (database: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  // Jest may run several files in one process and reloads this module for each, so a counter would not be unique.
  const name = `test_${newId()}`;
  const admin = connectTo(server.href, 'test', 1, patient);
  try {
    await admin.raw('create database ?? template ?? strategy file_copy', [name, await templateOf(admin, migrations, urlOf)]);
  } finally {
    await admin.destroy();
  }
  return { db: connectTo(urlOf(name), 'test', 10, patient), url: urlOf(name) };
}

/** Returns the name of a database to which these migrations were applied, once for all test files: copying it takes a fraction of the time. */
async function templateOf(admin: Database, migrations: readonly Migration[], urlOf: (database: string) => string): Promise<string> {
  const content = migrations.map(({ name, up }) => `${name} ${up.toString()}`).join('\n');
  const key = createHash('sha256').update(content).digest('hex').slice(0, 32);
  const [template, unfinished] = [`template_${key}`, `unfinished_${key}`];
  // One file at a time makes the template; the lock ends with the connection.
  await admin.raw('select pg_advisory_lock(hashtext(?))', [template]);
  const [made] = await rowsOf(admin, 'select from pg_database where datname = ?', [template]);
  if (!made) {
    await admin.raw('create database ??', [unfinished]);
    const db = connectTo(urlOf(unfinished), 'test', 2, patient);
    try {
      await migrate(db, migrations, silentLog());
    } finally {
      await db.destroy();
    }
    await admin.raw('alter database ?? rename to ??', [unfinished, template]);
  }
  return template;
}

/** The NATS that tools/jest/servers.cjs has started for this Jest worker; no other test file uses it at the same time. */
export const brokerUrl = (): string => (process.env.TEST_NATS_URLS ?? '').split(' ')[Number(process.env.JEST_WORKER_ID) - 1] ?? '';
