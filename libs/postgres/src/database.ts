import type { Process } from '@sheaf/runtime';
import { flag, whole } from '@sheaf/runtime';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { z } from 'zod';
import type { KnexClient } from './connections';
import { watchPool, watchSizes } from './pool-metrics';
import { watchReplication } from './replication';
import { clientCheckMs, isOutdated, rowsOf, withoutNames, type Database } from './statement';
import { StaleConnections } from './stale-connections';
import { watchStatements } from './statement-metrics';

// Counters and positions are bigint in the database but far below 2^53; by default the driver would return them as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The settings of a process with a database. */
export const databaseSettings = {
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address'),
  /** How many connections this process may hold at once. */
  DATABASE_POOL: whole(2, 200).default(10),
  /** Whether connections send their settings. A pooler such as PgBouncer refuses them; the role has the same ones by `ALTER ROLE … SET`. */
  DATABASE_STARTUP_SETTINGS: flag().default(true),
  /** Whether connections keep named prepared statements, which a pooler in transaction mode must support. */
  DATABASE_NAMED_STATEMENTS: flag().default(true),
  /** Whether the server is the primary of a cluster, which must replicate synchronously. */
  DATABASE_REPLICATED: flag().default(false),
};

interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_POOL: number;
  DATABASE_STARTUP_SETTINGS?: boolean;
  DATABASE_NAMED_STATEMENTS?: boolean;
  DATABASE_REPLICATED?: boolean;
}

// A statement takes this long only if something is wrong, and a statement whose caller has given up must not hold locks.
const statementTimeoutMs = 8_000;
/** The settings of a service's connections. Provisioning sets them for its role too: deploy/platform/postgres/roles.sh, tools/system. */
export const sessionSettings: Readonly<Record<string, string | number>> = {
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
  // A connection caches plans, and a plan made for a small table still scans all of it after it has grown: an outbox or a queue may be empty
  // one minute and hold 100,000 rows the next. All our queries have an index.
  enable_seqscan: 'off',
  // Ends a statement whose client has given up; otherwise it would still commit once it gets its lock.
  client_connection_check_interval: clientCheckMs,
};
// A reachable server answers within its statement timeout. TCP alone would give up only after a quarter of an hour.
const silentAfterMs = statementTimeoutMs + 2_000;
const connectTimeoutMs = 3_000;
// From then on an idle connection is probed every second and closed after ten unanswered probes.
const keepAliveAfterMs = 10_000;
// Shorter than the timeout of a readiness check, so that a silent connection is replaced, not merely noticed.
const probeTimeoutMs = 1_500;

/**
 * Opens the process's database, which closes with the process. The process is ready only while it can write to the database.
 * @param own session settings of this service; behind a pooler, its role needs them
 */
export function openDatabase(process: Process, settings: DatabaseSettings, own: Readonly<Record<string, string>> = {}): Database {
  const db = connectTo(settings.DATABASE_URL, process.name, settings.DATABASE_POOL, {
    silentAfterMs,
    startupSettings: settings.DATABASE_STARTUP_SETTINGS ?? true,
    own,
    namedStatements: settings.DATABASE_NAMED_STATEMENTS ?? true,
  });
  process.health.require('postgres', () => checkWritable(db));
  watchPool(process.metrics, db);
  watchSizes(process.metrics, db);
  watchStatements(process.metrics, (db.client as { config: object }).config);
  process.onStop('postgres', () => db.destroy());
  // Its round in progress ends before the pool: processes stop their parts in reverse order.
  if (settings.DATABASE_REPLICATED === true) watchReplication(process, db);
  return db;
}

/** @throws Error while the database is down, silent or read-only. */
export async function checkWritable(db: Database): Promise<void> {
  const [row] = await rowsOf<{ read_only: string }>(db, `select current_setting('transaction_read_only') as read_only`, [], {
    until: Date.now() + probeTimeoutMs,
  });
  if (row?.read_only === 'off') return;
  // Has the error code that a write would fail with, so that the pool reconnects.
  const failure = Object.assign(new Error('the database is read-only'), { code: '25006' });
  (db.client as KnexClient).emit('query-error', failure, undefined);
  throw failure;
}

/**
 * Makes a pool of connections to one database.
 * @param silentAfterMs the time after which an unanswered statement is abandoned together with its connection; 0 for never.
 * @param connectMs how long a new connection may take, and how long a request waits for a free one before it fails as unavailable
 */
export function connectTo(
  url: string,
  name: string,
  max: number,
  {
    silentAfterMs: query_timeout = 0,
    connectMs = connectTimeoutMs,
    startupSettings = true,
    namedStatements = true,
    own = {},
  }: {
    silentAfterMs?: number;
    connectMs?: number;
    startupSettings?: boolean;
    namedStatements?: boolean;
    own?: Readonly<Record<string, string>>;
  } = {},
): Database {
  const connection = {
    connectionString: url,
    application_name: `sheaf-${name}`,
    query_timeout,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...(startupSettings
      ? {
          options: Object.entries({ ...sessionSettings, ...own })
            .map(([setting, value]) => `-c ${setting}=${value}`)
            .join(' '),
        }
      : {}),
    // For `readOf`, whose statements do not wait for each other's rows. Every other statement has its connection to itself.
    pipeline: true,
  };
  const stale = new StaleConnections();
  const db = knex({
    client: 'pg',
    connection,
    pool: {
      min: 0,
      max,
      afterCreate: (opened: pg.Client, done: (error: null, opened: pg.Client) => void) => {
        stale.opened(opened);
        done(null, opened);
      },
      validate: (pooled: pg.Client) => stale.isUsable(pooled),
    },
    acquireConnectionTimeout: connectMs,
    // The pool replaces a connection that has ended, and readiness tells of the server. knex would print a line that is no JSON.
    log: { warn: () => undefined },
  });
  if (!namedStatements) withoutNames(db);
  (db.client as KnexClient).on('query-error', (failure) => stale.onFailure(failure));
  repeatOutdated(db);
  return db;
}

/** More statements than a transaction has. */
const maxOutdated = 30;

/**
 * Begins a transaction again if a migration has changed a table of one of its prepared statements: it was rolled back, so nothing has happened,
 * and each such statement fails once. So a migration under load refuses nobody, but the work of a transaction must be repeatable: it changes
 * nothing but the database.
 */
function repeatOutdated(db: Database): void {
  const once = db.transaction.bind(db) as (work: Work, config?: Knex.TransactionConfig) => Promise<unknown>;
  const repeated = async (work: Work, config?: Knex.TransactionConfig): Promise<unknown> => {
    for (let outdated = 0; ; outdated += 1) {
      try {
        return await once(work, config);
      } catch (error) {
        if (!isOutdated(error) || outdated === maxOutdated) throw error;
      }
    }
  };
  const transaction = (work?: unknown, config?: Knex.TransactionConfig): Promise<unknown> =>
    // A transaction without work is ended by its caller, so it stays as it is.
    typeof work === 'function' ? repeated(work as Work, config) : (once as (config?: unknown) => Promise<unknown>)(work);
  // knex defines its methods as constants.
  Object.defineProperty(db, 'transaction', { value: transaction, configurable: true });
}

type Work = (trx: Knex.Transaction) => Promise<unknown>;
