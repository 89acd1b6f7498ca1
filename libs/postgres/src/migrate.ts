import { setTimeout as pause } from 'node:timers/promises';
import { command, type Log } from '@sheaf/runtime';
import knex, { type Knex } from 'knex';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { connectTo, databaseSettings } from './database';
import type { Database } from './statement';

/**
 * One step of a schema. A step may make only changes that the running code tolerates (expand first, contract later), since both versions
 * run side by side during a deployment. Steps cannot be reverted, because newer data would be lost.
 */
export interface Migration {
  /** Determines the order, such as `0001_initial`. It must not change once the step has run anywhere. */
  name: string;
  up: (db: Database) => Promise<unknown>;
  /**
   * `none` for statements that PostgreSQL refuses in a transaction, such as `CREATE INDEX CONCURRENTLY`. If the process dies in the middle,
   * such a step runs again from its beginning, so it must handle its own partial results: see `buildIndex`.
   */
  transaction?: 'none';
  /**
   * The names of earlier steps that this one stands for, in their order. On a database that has all of them it does nothing; one that has only some
   * is refused, as it is of an older version than `lastWithSteps`.
   */
  replaces?: readonly string[];
}

/** The commit of November 25, 2026 up to which the steps of each service are one now. It still has them. */
const lastWithSteps = '539e6606';

export interface MigrationLimits {
  /** The longest wait of a statement for a lock. Meanwhile all reads and writes of the table queue behind it. */
  lockMs: number;
  /** The pauses before the retries of a step that did not get its lock; after the last retry it fails. */
  pausesMs: readonly number[];
}

const limits: MigrationLimits = {
  lockMs: 2_000,
  pausesMs: [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000, 10_000],
};

/** The command `migrate`; it needs the role that owns the database. */
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
 * Brings a database up to date. If several processes migrate at once, one works and the others wait. Each step runs in its own transaction
 * unless it opts out. A database that a newer version has migrated stays as it is, so that an older version can be deployed again.
 */
export async function migrate(db: Database, migrations: readonly Migration[], log: Log, { lockMs, pausesMs } = limits): Promise<void> {
  const own = connectionFor(db);
  try {
    // The table of knex's own migrator, which earlier versions of Sheaf used.
    await own.raw(
      `create table if not exists knex_migrations (id serial primary key, name varchar(255), batch integer, migration_time timestamptz)`,
    );
    const known = new Set(await own('knex_migrations').pluck<string[]>('name'));
    const done: string[] = [];
    for (const migration of migrations.filter(({ name }) => !known.has(name))) {
      const isReplaced = hasAllOf(migration, known);
      await withRetries(
        () => (isReplaced ? note(own, [migration.name]) : run(own, migration, lockMs)),
        pausesMs,
        (code) => log.warn({ migration: migration.name, code }, 'the migration did not get a lock, retrying'),
      );
      log.info({ migration: migration.name }, 'migrated');
      done.push(migration.name);
    }
    log.info({ done }, done.length === 0 ? 'the schema is up to date' : 'the schema was migrated');
  } finally {
    await own.destroy();
  }
}

/**
 * Whether a database has all steps that this one stands for.
 * @throws Error if it has only some of them
 */
function hasAllOf({ replaces = [] }: Migration, known: ReadonlySet<string>): boolean {
  const missing = replaces.filter((name) => !known.has(name));
  if (missing.length === replaces.length) return false;
  if (missing.length === 0) return true;
  throw new Error(
    `This database lacks ${missing.join(', ')}. Upgrade it to the version of Sheaf at commit ${lastWithSteps} first, and then to this one.`,
  );
}

async function run(db: Database, migration: Migration, lockMs: number): Promise<void> {
  // Set for each step, because the previous one may have changed it.
  await db.raw(`select set_config('lock_timeout', ?, false)`, [String(lockMs)]);
  if (migration.transaction === 'none') {
    await migration.up(db);
    await note(db, namesOf(migration));
    return;
  }
  await db.transaction(async (trx) => {
    await migration.up(trx);
    await note(trx, namesOf(migration));
  });
}

/** Also the steps that it stands for: a process of the version before would otherwise run them. */
const namesOf = ({ name, replaces = [] }: Migration): string[] => [...replaces, name];

const note = async (db: Database, names: readonly string[]): Promise<void> => {
  const now = new Date();
  await db('knex_migrations').insert(names.map((name) => ({ name, batch: 1, migration_time: now })));
};

// "lock_not_available" and "deadlock_detected": another transaction holds the table.
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

// An arbitrary number, but it must never change.
const lock = 7_346_104;
const lookAgainMs = 200;

// How long to wait for the lock while another copy migrates.
const turnMs = 3_600_000;

/**
 * Opens one connection to the same database. It holds the migration lock as long as it is open, so that no step runs without the lock. A
 * statement may take as long as it needs, but ends soon after its process.
 */
function connectionFor(db: Database): Database {
  const session = {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    client_connection_check_interval: '1000',
    enable_seqscan: 'on',
  };
  const prepare = async (connection: ClientBase) => {
    for (const setting of Object.entries(session)) await connection.query('select set_config($1, $2, false)', setting);
    // Polls, because a statement that waits for the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for all snapshots.
    while (!(await connection.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lock])).rows[0]?.got)
      await pause(lookAgainMs);
  };
  return knex({
    ...(db.client as { config: Knex.Config }).config,
    pool: {
      min: 0,
      max: 1,
      createTimeoutMillis: turnMs,
      acquireTimeoutMillis: turnMs,
      afterCreate: (connection: ClientBase, done: (error: Error | null, connection: ClientBase) => void) =>
        void prepare(connection).then(
          () => done(null, connection),
          (error: unknown) => done(error as Error, connection),
        ),
    },
  });
}
