import { type Level, toEntry } from './log-lines';

const now = new Date('2026-05-04T10:11:12.131Z');
const entry = (line: string, level: Level = 'info', service = 'forms') => toEntry(service, line, level, now);

it('keeps the line of a service unchanged', () => {
  const line = '{"level":"warn","time":"2026-05-04T10:00:00.000Z","service":"forms","msg":"slow","ms":900}';
  expect(entry(line)).toEqual({ time: '2026-05-04T10:00:00.000Z', level: 'warn', service: 'forms', msg: 'slow', json: line });
});

it('adds missing fields to a line', () => {
  expect(JSON.parse(entry('{"msg":"hello","form":"f1"}').json)).toEqual({
    msg: 'hello',
    form: 'f1',
    time: now.toISOString(),
    level: 'info',
    service: 'forms',
  });
});

it('appends the cause of an error to the message', () => {
  expect(entry('{"level":"error","msg":"relay failed","err":{"message":"no route"}}').msg).toBe('relay failed: no route');
});

it('wraps plain text at the level of its stream', () => {
  for (const line of ['TypeError: x is undefined', '{"half": ', '{"no":"message"}', '"text"', '[1]']) {
    const made = entry(line, 'error');
    expect(made).toMatchObject({ level: 'error', service: 'forms', msg: line });
    expect(JSON.parse(made.json)).toEqual({ time: now.toISOString(), level: 'error', service: 'forms', msg: line });
  }
  expect(entry('(node:12) Warning: old', 'error').level).toBe('warn');
  expect(entry('Debugger listening on ws://127.0.0.1:9230/1', 'error').level).toBe('info');
});

it.each([
  ['LOG:  database system is ready', 'info'],
  ['WARNING:  out of space', 'warn'],
  ['ERROR:  duplicate key', 'warn'],
  ['FATAL:  no password', 'error'],
  ['PANIC:  disk', 'fatal'],
])('reads the level of PostgreSQL’s %s', (line, level) => {
  expect(entry(line, 'info', 'postgres')).toMatchObject({ level, msg: line });
});

it('reads the level of NATS’s lines', () => {
  expect(entry('[12] [INF] Server is ready', 'info', 'nats')).toMatchObject({ level: 'info', msg: 'Server is ready' });
  expect(entry('[12] [ERR] authorization', 'info', 'nats')).toMatchObject({ level: 'error', msg: 'authorization' });
});

it('keeps the app that a line of a process with several names, and no other name', () => {
  const line = (service: string) => toEntry('all', JSON.stringify({ service, msg: 'ready' }), 'info', now, ['forms', 'hooks']).service;
  expect(line('hooks')).toBe('hooks');
  expect(line('system')).toBe('all');
  expect(toEntry('all', 'out of memory', 'error', now, ['forms']).service).toBe('all');
});
