import Table from 'cli-table3';
import { Client, DatabaseError, type QueryArrayResult } from 'pg';
import { Failure } from '../failure';
import { cell } from '../show';

/** Session settings, in the format of libpq's `options`. */
export const sessionOptions = (write: boolean): string => `-c default_transaction_read_only=${write ? 'off' : 'on'}`;

/** Runs SQL. @returns its rows as tables, as psql prints them. @throws Failure with PostgreSQL's error message */
export async function runStatement(url: string, statement: string, { write }: { write: boolean }): Promise<string> {
  const client = new Client({
    connectionString: url,
    options: sessionOptions(write),
    connectionTimeoutMillis: 10_000,
    application_name: 'sheaf db',
    // Values as PostgreSQL prints them: a Date or a rounded number would lose detail.
    types: { getTypeParser: () => (text: string) => text },
  });
  // A broken connection makes the running statement fail, and that is where the error is handled.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const results = await client.query({ text: statement, rowMode: 'array' });
    return [results as Result | Result[]].flat().map(formatResult).join('\n');
  } catch (error) {
    throw failureOf(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Of several statements, there are several. */
type Result = QueryArrayResult<unknown[]>;

export function formatResult({
  command,
  rowCount,
  fields,
  rows,
}: Pick<QueryArrayResult<unknown[]>, 'command' | 'rowCount' | 'fields' | 'rows'>): string {
  if (fields.length === 0) return `${command}${rowCount === null ? '' : ` ${rowCount}`}`;
  const table = new Table({ head: fields.map(({ name }) => name), style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => row.map((value) => (value === null ? 'null' : cell(value)))));
  return `${table.toString()}\n(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`;
}

const readOnlyTransaction = '25006';

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof DatabaseError))
    return new Failure('unavailable', `The database cannot be reached: ${message}`, 1, { cause: error });
  const advice = error.code === readOnlyTransaction ? ' Add --write to change rows.' : error.hint === undefined ? '' : ` ${error.hint}`;
  return new Failure('bad_request', `${message}.${advice}`, 1, { cause: error });
}
