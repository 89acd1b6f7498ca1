import { setTimeout as pause } from 'node:timers/promises';
import { command, type Log } from '@sheaf/runtime';
import knex, { type Knex } from 'knex';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { connectTo, databaseSettings } from './database';
import type { Database } from './statement';

/**
 * One step of a schema. Steps only add what the code that runs at the moment can live with (expand, later contract): both versions
 * run side by side during a deployment. There is no way down, as data that came after it would be lost.
 */
export interface Migration {
  /** Decides the order, and never changes once it has run anywhere: `0001_initial`. */
  name: string;
  up: (db: Database) => Promise<unknown>;
  /**
   * `none` for statements that PostgreSQL refuses in a transaction, such as `CREATE INDEX CONCURRENTLY`. If the process dies in the middle,
   * such a step runs again from its beginning, so it has to cope with its own remains: see `buildIndex`.
   */
  transaction?: 'none';
}

export interface MigrationLimits {
  /** The longest that a statement waits for a lock. Whatever reads or writes the table queues behind it meanwhile. */
  lockMs: number;
  /** The pauses before a step that did not get its lock is tried again; after the last one it fails. */
  pausesMs: readonly number[];
}

const limits: MigrationLimits = {
  lockMs: 2_000,
  pausesMs: [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000, 10_000],
};

/** The command `migrate`, to be run with the role that owns the database. */
export const migrateCommand = (migrations: readonly Migration[]) =>
  command(z.object({ DATABASE_URL: databaseSettings.DATABASE_URL }), async ({ config, log }) => {
    const db = connectTo(config.DATABASE_URL, 'migrate', 2, { startupSettings: false });
    try {
      await migrate(db, migrations, log);
    } finally {
      await db.destroy();
    }
  });

/**
 * Brings a database up to date. Of several at once one works and the others wait. Each step is a transaction of its own, unless it says
 * otherwise. A database that is ahead, because a newer version has migrated it, stays as it is: the way back to an older version is open.
 */
export async function migrate(db: Database, migrations: readonly Migration[], log: Log, { lockMs, pausesMs } = limits): Promise<void> {
  const own = connectionFor(db);
  try {
    // The table of knex's own migrator, which earlier versions of ours used.
    await own.raw(`create table if not exists knex_migrations (id serial primary key, name varchar(255), batch integer, migration_time timestamptz)`);
    const known = new Set(await own('knex_migrations').pluck<string[]>('name'));
    const done: string[] = [];
    for (const migration of migrations.filter(({ name }) => !known.has(name))) {
      await withRetries(() => run(own, migration, lockMs), pausesMs, (code) => log.warn({ migration: migration.name, code }, 'the migration did not get a lock, retrying'));
      log.info({ migration: migration.name }, 'migrated');
      done.push(migration.name);
    }
    log.info({ done }, done.length === 0 ? 'the schema is up to date' : 'the schema was migrated');
  } finally {
    await own.destroy();
  }
}

async function run(db: Database, migration: Migration, lockMs: number): Promise<void> {
  // For each step anew: the one before may have changed it.
  await db.raw(`select set_config('lock_timeout', ?, false)`, [String(lockMs)]);
  if (migration.transaction === 'none') {
    await migration.up(db);
    await note(db, migration.name);
    return;
  }
  await db.transaction(async (trx) => {
    await migration.up(trx);
    await note(trx, migration.name);
  });
}

const note = (db: Database, name: string) => db('knex_migrations').insert({ name, batch: 1, migration_time: new Date() });

// "lock_not_available" and "deadlock_detected": somebody else has the table at the moment.
const lockedCodes = new Set<unknown>(['55P03', '40P01']);

async function withRetries(work: () => Promise<void>, pausesMs: readonly number[], onRetry: (code: unknown) => void): Promise<void> {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (!lockedCodes.has(code)) throw error;
      onRetry(code);
      await pause(pauseMs);
    }
  }
  return work();
}

// Any number will do, as long as it is always the same one.
const lock = 7_346_104;
const lookAgainMs = 200;

// As long as another copy may migrate before it is this one's turn.
const turnMs = 3_600_000;

/**
 * One connection to the same database. It holds the lock of all migrations for as long as it lives, so that nothing runs on a connection
 * without it. A statement may take as long as it needs, but ends soon after its process.
 */
function connectionFor(db: Database): Database {
  const session = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', client_connection_check_interval: '1000', enable_seqscan: 'on' };
  const prepare = async (connection: ClientBase) => {
    for (const setting of Object.entries(session)) await connection.query('select set_config($1, $2, false)', setting);
    // Asked again and again: a statement that waits for the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for all of those.
    while (!(await connection.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lock])).rows[0]?.got) await pause(lookAgainMs);
  };
  return knex({
    ...(db.client as { config: Knex.Config }).config,
    pool: {
      min: 0,
      max: 1,
      createTimeoutMillis: turnMs,
      acquireTimeoutMillis: turnMs,
      afterCreate: (connection: ClientBase, done: (error: Error | null, connection: ClientBase) => void) =>
        void prepare(connection).then(() => done(null, connection), (error: unknown) => done(error as Error, connection)),
    },
  });
}
