import type { Process } from '@sheaf/runtime';
import { whole } from '@sheaf/runtime';
import knex from 'knex';
import pg from 'pg';
import { z } from 'zod';
import type { Database } from './statement';

// Counters and positions are bigint in the database and far below 2^53; the driver's default would give them as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The settings of a process that has a database. */
export const databaseSettings = {
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  /** Connections that this process may hold at once. */
  DATABASE_POOL: whole(2, 200).default(10),
};

// No statement of ours takes this long unless something is wrong; an answer nobody waits for any more must not hold locks.
const statementTimeoutMs = 8_000;
const connectTimeoutMs = 3_000;

/** Opens the process's database; it closes with the process, and the process is ready only while it answers. */
export function openDatabase(own: Process, settings: { DATABASE_URL: string; DATABASE_POOL: number }): Database {
  const db = connectTo(settings.DATABASE_URL, own.name, settings.DATABASE_POOL);
  own.health.require('postgres', () => db.raw('select 1'));
  own.onStop('postgres', () => db.destroy());
  return db;
}

/** A pool of connections to one database. */
export function connectTo(url: string, name: string, max: number): Database {
  const connection = {
    connectionString: url,
    application_name: `sheaf-${name}`,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    // A plan is kept by its connection, and one that was made while a table was small reads all of it when it has grown: an outbox or a queue is
    // empty in one minute and holds 100,000 rows in the next. All that we ask has an index.
    options: '-c enable_seqscan=off',
    // For `readOf`, whose statements do not wait for each other's rows. All others have a connection to themselves.
    pipeline: true,
  };
  return knex({
    client: 'pg',
    connection,
    pool: { min: 0, max },
    // How long a request waits for a free connection before it is told that we are busy.
    acquireConnectionTimeout: connectTimeoutMs,
  });
}
