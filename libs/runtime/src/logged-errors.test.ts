import { loggedErrors } from './logged-errors';

const failing = (message: string) => Object.assign(new Error(message), { code: 'ECONNREFUSED', detail: 'Key (email)=(ada@example.org)' });
const other = () => new TypeError('another place');
const stackOf = (logged: unknown) => (logged as { stack?: string }).stack;

describe('an error that repeats', () => {
  it('has its trace once a minute, and then with the number of lines that had none', () => {
    let now = 0;
    const log = loggedErrors(() => now);
    const lines = [0, 1, 2, 60_000, 60_001].map((at) => {
      now = at;
      return log(failing(`connect 127.0.0.1:${at}`));
    });
    expect(lines.map((line) => stackOf(line) !== undefined)).toEqual([true, false, false, true, false]);
    expect(lines[2]).toEqual({ type: 'Error', message: 'connect 127.0.0.1:2', code: 'ECONNREFUSED' });
    expect(lines[3]).toMatchObject({ withoutTrace: 2 });
  });

  it('does not hide the trace of another', () => {
    const log = loggedErrors(() => 0);
    log(failing('one'));
    expect(stackOf(log(other()))).toContain('another place');
  });

  it('takes no more memory the more kinds there are', () => {
    const log = loggedErrors(() => 0);
    const first = () => log(failing('first'));
    first();
    for (let code = 0; code < 1_000; code++) log(Object.assign(failing('x'), { code }));
    expect(stackOf(first())).toBeDefined();
  });
});

it('logs nothing of an error that may quote a row, and all of what caused it', () => {
  const cause = Object.assign(new Error('the pool is empty'), { detail: 'Failing row contains (secret)' });
  const logged = loggedErrors()(new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')], '', { cause }));
  expect(logged).toMatchObject({ type: 'AggregateError', message: 'connect ::1: connect 127.0.0.1: the pool is empty' });
  expect(stackOf(logged)).toContain('caused by: Error: the pool is empty');
  expect(JSON.stringify(logged)).not.toContain('secret');
});

it('bounds what one line takes', () => {
  expect(JSON.stringify(loggedErrors()(new Error('x'.repeat(1_000_000)))).length).toBeLessThan(20_000);
  expect(loggedErrors()('y'.repeat(1_000_000))).toHaveLength(1_000);
});
