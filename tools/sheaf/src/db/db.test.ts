import { services } from '@sheaf/kernel';
import { readDbOptions } from './options';
import { psqlCall } from './prompt';
import { formatResult } from './statement';

const printed: string[] = [];
const read = (...args: string[]) => readDbOptions(args, { print: (text) => printed.push(text), printError: (text) => printed.push(text) });
beforeEach(() => void printed.splice(0));

it('opens a read-only prompt unless --write is given', () => {
  expect(read('forms')).toEqual({ service: 'forms', statement: undefined, write: false });
  expect(read('hooks', '--write', '-c', 'delete from subscription')).toEqual({
    service: 'hooks',
    statement: 'delete from subscription',
    write: true,
  });
});

it('rejects an app without a database and names those with one', () => {
  expect(read('gateway')).toEqual({ exitCode: 2 });
  expect(read()).toEqual({ exitCode: 2 });
  for (const service of services) expect(printed.join('\n')).toContain(service);
});

it('passes the password to psql where nobody else on the machine can read it', () => {
  const { args, env } = psqlCall('postgres://sheaf_forms:p%40ss@127.0.0.1:5432/sheaf_forms?sslmode=require', { write: false });
  expect(args).toEqual(['postgres://sheaf_forms@127.0.0.1:5432/sheaf_forms?sslmode=require']);
  expect(env).toMatchObject({ PGPASSWORD: 'p@ss', PGOPTIONS: '-c default_transaction_read_only=on' });
  expect(psqlCall('postgres://a:b@c/d', { write: true }).env).toMatchObject({ PGOPTIONS: '-c default_transaction_read_only=off' });
});

it('prints rows as a table, distinguishes null from an empty string, and removes control characters', () => {
  const fields = [{ name: 'id' }, { name: 'title' }] as never;
  const text = formatResult({
    command: 'SELECT',
    rowCount: 2,
    fields,
    rows: [
      ['1', null],
      ['2', '\u001b[2J'],
    ],
  });
  expect(text).toMatch(/│ id │ title +│/);
  expect(text).toContain('│ 1  │ null');
  expect(text).not.toContain('\u001b');
  expect(text).toMatch(/\(2 rows\)$/);
  expect(formatResult({ command: 'UPDATE', rowCount: 3, fields: [], rows: [] })).toBe('UPDATE 3');
});
