import { type Level, wrap } from './log-lines';
import { compact } from './terminal';

const shown = (level: Level, msg: string, { service = 'forms', quiet = false, colour = false } = {}) =>
  compact(wrap(service, new Date(2026, 4, 4, 10, 11, 12), level, msg), { colour, quiet });

it('prints time, process and message, and marks errors', () => {
  expect(shown('info', 'ready')).toBe('10:11:12 forms       ready');
  expect(shown('warn', 'slow')).toBe('10:11:12 forms       ! slow');
  expect(shown('error', 'lost', { colour: true })).toBe('\u001b[2m10:11:12\u001b[0m forms       \u001b[31m✗ lost\u001b[0m');
});

it('leaves out entries that are only for the file', () => {
  expect(shown('debug', 'x')).toBeNull();
  expect(shown('info', 'x', { quiet: true })).toBeNull();
  expect(shown('warn', 'ERROR:  duplicate key', { service: 'postgres' })).toBeNull();
  expect(shown('info', 'listening', { service: 'nats' })).toBeNull();
  expect(shown('fatal', 'PANIC:  disk', { service: 'postgres', quiet: true })).not.toBeNull();
});

it('removes control characters from a message', () => {
  expect(shown('info', 'a\u001b[2Jb\nc')).toBe('10:11:12 forms       a [2Jb\n    c');
});
