import type { Process } from '@sheaf/runtime';
import { flag, whole } from '@sheaf/runtime';
import knex from 'knex';
import pg from 'pg';
import { z } from 'zod';
import type { KnexClient } from './connections';
import { watchPool } from './pool-metrics';
import { clientCheckMs, rowsOf, withoutNames, type Database } from './statement';
import { Suspicion } from './suspicion';

// Counters and positions are bigint in the database and far below 2^53; the driver's default would give them as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The settings of a process that has a database. */
export const databaseSettings = {
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  /** Connections that this process may hold at once. */
  DATABASE_POOL: whole(2, 200).default(10),
  /** Whether connections bring their settings. A pooler such as PgBouncer refuses that; the role has the same ones by `ALTER ROLE … SET`. */
  DATABASE_STARTUP_SETTINGS: flag().default(true),
  /** Whether connections keep statements prepared, which a pooler that hands out connections by transaction has to know of. */
  DATABASE_NAMED_STATEMENTS: flag().default(true),
};

interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_POOL: number;
  DATABASE_STARTUP_SETTINGS?: boolean;
  DATABASE_NAMED_STATEMENTS?: boolean;
}

// No statement of ours takes this long unless something is wrong; an answer nobody waits for any more must not hold locks.
const statementTimeoutMs = 8_000;
/** Of each connection of a service. Provisioning gives the service's role the same: deploy/platform/postgres/roles.sh and tools/system. */
export const sessionSettings: Readonly<Record<string, string | number>> = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
  // A plan is kept by its connection, and one that was made while a table was small reads all of it when it has grown: an outbox or a queue is
  // empty in one minute and holds 100,000 rows in the next. All that we ask has an index.
  enable_seqscan: 'off',
  // A statement whose client has given up is to end: else it would still commit once it gets its lock.
  client_connection_check_interval: clientCheckMs,
};
// Past its statement timeout a server that can be reached has answered. TCP alone would give up after a quarter of an hour.
const silentAfterMs = statementTimeoutMs + 2_000;
const connectTimeoutMs = 3_000;
// An idle connection is probed from then on every second, and is gone after ten probes without an answer.
const keepAliveAfterMs = 10_000;
// Below the bound of a readiness check, so that the silent connection is replaced and not merely noticed.
const probeTimeoutMs = 1_500;

/** Opens the process's database; it closes with the process, and the process is ready only while it can write there. */
export function openDatabase(own: Process, settings: DatabaseSettings): Database {
  const db = connectTo(settings.DATABASE_URL, own.name, settings.DATABASE_POOL, {
    silentAfterMs,
    startupSettings: settings.DATABASE_STARTUP_SETTINGS ?? true,
    namedStatements: settings.DATABASE_NAMED_STATEMENTS ?? true,
  });
  own.health.require('postgres', () => checkWritable(db));
  watchPool(own.metrics, db);
  own.onStop('postgres', () => db.destroy());
  return db;
}

/** @throws Error while the database is away, silent, or takes no changes. */
export async function checkWritable(db: Database): Promise<void> {
  const [row] = await rowsOf<{ read_only: string }>(db, `select current_setting('transaction_read_only') as read_only`, [], { until: Date.now() + probeTimeoutMs });
  if (row?.read_only === 'off') return;
  // With the code that a change would fail with: the pool is to connect anew.
  const failure = Object.assign(new Error('the database is read-only'), { code: '25006' });
  (db.client as KnexClient).emit('query-error', failure, undefined);
  throw failure;
}

/**
 * A pool of connections to one database.
 * @param silentAfterMs after how long a statement without an answer is given up, together with its connection; never unless it is given.
 */
export function connectTo(url: string, name: string, max: number, { silentAfterMs: query_timeout = 0, startupSettings = true, namedStatements = true } = {}): Database {
  const connection = {
    connectionString: url,
    application_name: `sheaf-${name}`,
    query_timeout,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(startupSettings ? { options: Object.entries(sessionSettings).map(([setting, value]) => `-c ${setting}=${value}`).join(' ') } : {}),
    // For `readOf`, whose statements do not wait for each other's rows. All others have a connection to themselves.
    pipeline: true,
  };
  const suspicion = new Suspicion();
  const db = knex({
    client: 'pg',
    connection,
    pool: {
      min: 0,
      max,
      afterCreate: (opened: pg.Client, done: (error: null, opened: pg.Client) => void) => {
        suspicion.opened(opened);
        done(null, opened);
      },
      validate: (kept: pg.Client) => suspicion.isUsable(kept),
    },
    // How long a request waits for a free connection before it is told that we are busy.
    acquireConnectionTimeout: connectTimeoutMs,
  });
  if (!namedStatements) withoutNames(db);
  (db.client as KnexClient).on('query-error', (failure) => suspicion.consider(failure));
  return db;
}
