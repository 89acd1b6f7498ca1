import { command, type Log } from '@sheaf/runtime';
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
}

/** The command `migrate`, to be run with the role that owns the database. */
export const migrateCommand = (migrations: readonly Migration[]) =>
  command(z.object({ DATABASE_URL: databaseSettings.DATABASE_URL }), async ({ config, log }) => {
    const db = connectTo(config.DATABASE_URL, 'migrate', 2);
    try {
      await migrate(db, migrations, log);
    } finally {
      await db.destroy();
    }
  });

// Any number will do, as long as it is always the same one.
const lock = 7_346_104;

/** Brings a database up to date. Several at once wait for each other; each step is a transaction of its own. */
export async function migrate(db: Database, migrations: readonly Migration[], log: Log): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('select set_config(?, ?, true)', ['idle_in_transaction_session_timeout', '0']);
    await trx.raw('select set_config(?, ?, true)', ['statement_timeout', '120000']);
    await trx.raw('select pg_advisory_xact_lock(?)', [lock]);

    const config = {
      migrationSource: {
        getMigrations: () => Promise.resolve([...migrations]),
        getMigrationName: (migration: Migration) => migration.name,
        getMigration: (migration: Migration) => Promise.resolve({ up: migration.up, down: () => Promise.reject(new Error('There is no way down.')) }),
      },
    };
    // knex's own lock is a row, which stays when a process is killed in the middle. Whoever holds ours knows that it is stale.
    await db.migrate.forceFreeMigrationsLock(config);
    const [, done] = (await db.migrate.latest(config)) as [number, string[]];
    log.info({ done }, done.length === 0 ? 'the schema is up to date' : 'the schema was migrated');
  });
}
