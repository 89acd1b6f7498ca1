import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@sheaf/kernel';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { onOwnConnection, onSharedConnection, type KnexClient, type OnConnection } from './connections';
import { abandon, isSilence } from './stale-connections';
import { labelOf, statementMetrics } from './statement-metrics';

export type Database = Knex;
export type Transaction = Knex.Transaction;
type Bindings = readonly Knex.RawBinding[] | Readonly<Record<string, Knex.RawBinding>>;

/** SQL with numbered parameters, and the name under which each connection keeps it prepared. */
interface Statement {
  name: string;
  /** Its name in the metrics. */
  label: string;
  text: string;
  /** The values in the order of the parameters. */
  values: (bindings: Bindings) => unknown[];
}

/**
 * How often the server checks, during a statement, whether its client is still connected: `client_connection_check_interval`. After this
 * time the server has ended any statement that we abandoned.
 */
export const clientCheckMs = 100;

/** The time after which the result of a statement is not needed, in milliseconds since the epoch. */
export interface Bound {
  until: number;
}

// Keyed by configuration, which a pool shares with its transactions.
const unnamed = new WeakSet<object>();

/** Makes the statements of this pool unnamed: the server parses them each time instead of keeping them prepared. */
export const withoutNames = (db: Database): void => void unnamed.add((db.client as { config: object }).config);

// The code has a small fixed number of SQL texts; this is only a safety limit.
const statements = new LRUCache<string, Statement>({ max: 1_000 });
let prepared = 0;

/**
 * Runs an SQL statement and returns its rows. Values go into `bindings` (`?`, or `:name` with an object), never into the text.
 *
 * It bypasses knex but uses the connection that knex would have used: building a query each time cost more than running it, and only a named
 * statement is parsed once per connection. Knex handles bindings that are knex queries themselves.
 * @param bound a statement without an answer by then is abandoned together with its connection, and the server ends it. It changes nothing
 *   later, unless the server cannot detect the lost connection or is already committing.
 */
export async function rowsOf<Row>(db: Database, sql: string, bindings: Bindings = [], bound?: Bound): Promise<Row[]> {
  const given: readonly unknown[] = Array.isArray(bindings) ? bindings : Object.values(bindings);
  if (given.some(isQuery)) return (await db.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict)).rows;
  return run<Row>(db, sql, bindings, onOwnConnection, bound);
}

/**
 * `rowsOf` for a SELECT that takes no locks and reads at most a page. It shares a connection with others and is sent without waiting for their
 * rows: waking an idle connection costs more than such a statement, and a busy one need not be woken.
 * Do not use it for statements that may wait for a lock: those queued after it would wait too, and might include the one that holds it up.
 */
export const readOf = <Row>(db: Database, sql: string, bindings: Bindings = []): Promise<Row[]> =>
  run<Row>(db, sql, bindings, db.isTransaction ? onOwnConnection : onSharedConnection);

async function run<Row>(db: Database, sql: string, bindings: Bindings, on: OnConnection, bound?: Bound): Promise<Row[]> {
  try {
    return await runOnce<Row>(db, sql, bindings, on, bound);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    // A migration has changed a table of the cached plan. The statement is prepared again under another name; a transaction is lost.
    statements.delete(sql);
    if (db.isTransaction) throw error;
    return runOnce<Row>(db, sql, bindings, on, bound);
  }
}

async function runOnce<Row>(db: Database, sql: string, bindings: Bindings, on: OnConnection, bound: Bound | undefined): Promise<Row[]> {
  if (db.isTransaction && (db as Transaction).isCompleted()) throw new Error('The transaction of this statement is over.');
  const { name, label, text, values: valuesOf } = statementOf(sql, bindings);
  const values = valuesOf(bindings);
  const client = db.client as KnexClient;
  const metrics = statementMetrics((db.client as { config: object }).config);
  const asked = performance.now();
  return on(client, async (connection) => {
    const begun = performance.now();
    metrics?.waited((begun - asked) / 1_000);
    const leftMs = bound && bound.until - Date.now();
    if (leftMs !== undefined && leftMs <= 0) throw Problem.unavailable('too late to begin a statement');
    try {
      client.emit('query', { sql: text, bindings: values });
      const kept = unnamed.has((db.client as { config: object }).config) ? undefined : name;
      const statement = leftMs === undefined ? { name: kept, text, values } : { name: kept, text, values, query_timeout: leftMs };
      return (await connection.query<Row & object>(statement)).rows;
    } catch (error) {
      client.emit('query-error', error, undefined);
      // When the caller gets this error, the server must have ended the statement.
      if (leftMs !== undefined && isSilence(error)) await sleep(clientCheckMs + 50);
      // The server is about to disconnect.
      if ((error as { severity?: unknown }).severity === 'FATAL') abandon(connection);
      throw error;
    } finally {
      metrics?.took(label, (performance.now() - begun) / 1_000);
    }
  });
}

function statementOf(sql: string, bindings: Bindings): Statement {
  const known = statements.get(sql);
  if (known) return known;

  prepared += 1;
  const statement = {
    name: `s${prepared}`,
    label: labelOf(sql),
    ...(Array.isArray(bindings) ? numbered(sql) : named(sql, Object.keys(bindings))),
  };
  statements.set(sql, statement);
  return statement;
}

function numbered(sql: string): Pick<Statement, 'text' | 'values'> {
  let count = 0;
  const text = sql.replace(/\?/g, () => `$${++count}`);
  return { text, values: (bindings) => [...(bindings as readonly unknown[])] };
}

/** Each occurrence becomes its own parameter, because a shared parameter would need the same type in every place. */
function named(sql: string, names: readonly string[]): Pick<Statement, 'text' | 'values'> {
  const places: string[] = [];
  const text = sql.replace(/(?<![:\w]):([a-z]\w*)/gi, (whole, name: string) => (names.includes(name) ? `$${places.push(name)}` : whole));
  return { text, values: (bindings) => places.map((name) => (bindings as Record<string, unknown>)[name]) };
}

const isQuery = (value: unknown): boolean => typeof value === 'object' && value !== null && 'toSQL' in value;

/** "cached plan must not change result type". */
export const isOutdated = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '0A000' && error.message.includes('cached plan');
