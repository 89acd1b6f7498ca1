import { toEntry } from '../log-lines';
import { pretty } from './pretty';

const time = new Date(2026, 4, 4, 10, 11, 12).toISOString();
const shown = (fields: object, { colour = false, quiet = false, service = 'forms' } = {}) =>
  pretty(toEntry(service, JSON.stringify({ time, level: 'info', service, msg: 'ready', ...fields }), 'info', new Date(time)), {
    colour,
    quiet,
  });

it('prints an entry as one line: time, process, level, message and fields', () => {
  expect(shown({ port: 7001, form: { id: 'f1' }, pid: 1, hostname: 'here' })).toBe(
    '10:11:12 forms       INFO  ready port=7001 form={"id":"f1"}',
  );
});

it('shows six fields, counts the others, and truncates long values', () => {
  expect(shown({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8 })).toMatch(/ f=6 \+2$/);
  expect(shown({ text: 'x'.repeat(200) })).toMatch(/ text=x{80}…$/);
});

it('prints the stack of an error below its entry', () => {
  const err = { type: 'TypeError', message: 'no form', stack: 'TypeError: no form\n    at load (apps/forms/src/form/load-form.ts:7:3)' };
  expect(shown({ level: 'error', msg: 'request failed', err })).toBe(
    '10:11:12 forms       ERROR request failed\n    TypeError: no form\n        at load (apps/forms/src/form/load-form.ts:7:3)',
  );
});

it('gives each process a colour if colours are on, and removes control characters from messages', () => {
  expect(shown({}, { colour: true })).toContain('\u001b[92mforms      \u001b[0m');
  expect(shown({}, { colour: true, service: 'hooks' })).toContain('\u001b[95mhooks      \u001b[0m');
  expect(shown({ msg: 'a\u001b[2Jb', note: '\u001b[2J' })).not.toContain('\u001b');
});

it('shows the entries that LOG_LEVEL allows, and only warnings while the system starts', () => {
  expect(shown({ level: 'debug' })).toContain('DEBUG');
  expect(shown({ level: 'info' }, { quiet: true })).toBeNull();
  expect(shown({ level: 'warn' }, { quiet: true })).toContain('WARN');
  expect(shown({ level: 'warn' }, { service: 'postgres' })).toBeNull();
});
