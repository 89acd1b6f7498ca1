import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@sheaf/kernel';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { alone, beside, type KnexClient, type OnConnection } from './connections';
import { isSilence } from './suspicion';

export type Database = Knex;
export type Transaction = Knex.Transaction;
type Bindings = readonly Knex.RawBinding[] | Readonly<Record<string, Knex.RawBinding>>;

/** A text with numbered parameters, and the name under which each connection keeps it prepared. */
interface Statement {
  name: string;
  text: string;
  /** The values in the order of the parameters. */
  values: (bindings: Bindings) => unknown[];
}

/**
 * How often the server checks, during a statement, whether its client is still connected: `client_connection_check_interval`. A statement
 * that we gave up is over there after this.
 */
export const clientCheckMs = 100;

/** Until when, in milliseconds since the epoch, anybody needs what a statement does. */
export interface Bound {
  until: number;
}

// By their configuration, which a pool shares with its transactions.
const unnamed = new WeakSet<object>();

/** Statements of this pool are parsed each time instead of being kept prepared by their connection. */
export const withoutNames = (db: Database): void => void unnamed.add((db.client as { config: object }).config);

// The texts in the code are few and fixed; this is only a bound.
const statements = new LRUCache<string, Statement>({ max: 1_000 });
let prepared = 0;

/**
 * The rows of a statement in SQL. Values go into `bindings` (`?`, or `:name` with an object), never into the text.
 *
 * Goes past knex, to the connection that knex would have used: building a query anew each time cost more than the query, and only a named
 * statement is parsed once for a connection instead of each time. A binding that is a query of knex itself is left to knex.
 * @param bound a statement that is not answered by then is given up together with its connection, and the server ends it: it changes
 *   nothing later, unless the server no longer hears of us, or is committing already.
 */
export async function rowsOf<Row>(db: Database, sql: string, bindings: Bindings = [], bound?: Bound): Promise<Row[]> {
  const given: readonly unknown[] = Array.isArray(bindings) ? bindings : Object.values(bindings);
  if (given.some(isQuery)) return (await db.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict)).rows;
  return run<Row>(db, sql, bindings, alone, bound);
}

/**
 * The same for a SELECT that locks nothing and takes no longer than a page: it goes out behind others on the same connection, without
 * waiting for their rows. To wake a connection that is at work already costs neither side anything, and else more than such a statement.
 * Nothing that may wait for a lock: those behind it would wait with it, and one of them may be what it waits for.
 */
export const readOf = <Row>(db: Database, sql: string, bindings: Bindings = []): Promise<Row[]> => run<Row>(db, sql, bindings, db.isTransaction ? alone : beside);

async function run<Row>(db: Database, sql: string, bindings: Bindings, on: OnConnection, bound?: Bound): Promise<Row[]> {
  try {
    return await runOnce<Row>(db, sql, bindings, on, bound);
  } catch (error) {
    if (!isOutdated(error)) throw error;
    // A migration has changed a table under the plan. From now on it is prepared anew, under another name; a transaction is lost.
    statements.delete(sql);
    if (db.isTransaction) throw error;
    return runOnce<Row>(db, sql, bindings, on, bound);
  }
}

async function runOnce<Row>(db: Database, sql: string, bindings: Bindings, on: OnConnection, bound: Bound | undefined): Promise<Row[]> {
  if (db.isTransaction && (db as Transaction).isCompleted()) throw new Error('The transaction of this statement is over.');
  const { name, text, values: valuesOf } = statementOf(sql, bindings);
  const values = valuesOf(bindings);
  const client = db.client as KnexClient;
  return on(client, async (connection) => {
    const leftMs = bound && bound.until - Date.now();
    if (leftMs !== undefined && leftMs <= 0) throw Problem.unavailable('too late to begin a statement');
    try {
      client.emit('query', { sql: text, bindings: values });
      const kept = unnamed.has((db.client as { config: object }).config) ? undefined : name;
      const statement = leftMs === undefined ? { name: kept, text, values } : { name: kept, text, values, query_timeout: leftMs };
      return (await connection.query<Row & object>(statement)).rows;
    } catch (error) {
      client.emit('query-error', error, undefined);
      // Whoever hears that it failed may rely on it.
      if (leftMs !== undefined && isSilence(error)) await sleep(clientCheckMs + 50);
      // The server hangs up next. As knex marks one that has: nobody else gets it from the pool.
      if ((error as { severity?: unknown }).severity === 'FATAL') (connection as { __knex__disposed?: unknown }).__knex__disposed = error;
      throw error;
    }
  });
}

function statementOf(sql: string, bindings: Bindings): Statement {
  const known = statements.get(sql);
  if (known) return known;

  prepared += 1;
  const statement = { name: `s${prepared}`, ...(Array.isArray(bindings) ? numbered(sql) : named(sql, Object.keys(bindings))) };
  statements.set(sql, statement);
  return statement;
}

function numbered(sql: string): Omit<Statement, 'name'> {
  let count = 0;
  const text = sql.replace(/\?/g, () => `$${++count}`);
  return { text, values: (bindings) => [...(bindings as readonly unknown[])] };
}

/** Each place is a parameter of its own: one in two places would have to have the same type in both. */
function named(sql: string, names: readonly string[]): Omit<Statement, 'name'> {
  const places: string[] = [];
  const text = sql.replace(/(?<![:\w]):([a-z]\w*)/gi, (whole, name: string) => (names.includes(name) ? `$${places.push(name)}` : whole));
  return { text, values: (bindings) => places.map((name) => (bindings as Record<string, unknown>)[name]) };
}

const isQuery = (value: unknown): boolean => typeof value === 'object' && value !== null && 'toSQL' in value;

/** "cached plan must not change result type". */
export const isOutdated = (error: unknown): boolean => error instanceof Error && (error as { code?: unknown }).code === '0A000' && error.message.includes('cached plan');
