export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof levels)[number];

export type Entry = {
  /** ISO 8601, UTC. */
  time: string;
  level: Level;
  /** The process that it comes from. */
  service: string;
  msg: string;
  /** The line as it is kept: JSON with the four above and whatever else the process said. */
  json: string;
};

/**
 * Makes a log entry of a line that a process printed. Our services print such entries, which stay as they are; PostgreSQL, NATS and
 * Node itself print plain text, which is wrapped, and its level is taken from its words or is the given one.
 */
export function toEntry(service: string, line: string, level: Level, now: Date): Entry {
  const fields = parseObject(line);
  if (typeof fields?.msg !== 'string') return wrap(service, now, ...recognise(line, level));

  const time = typeof fields.time === 'string' ? fields.time : now.toISOString();
  const said = levels.find((known) => known === fields.level) ?? level;
  const isWhole = fields.time === time && fields.level === said && fields.service === service;
  const json = isWhole ? line : JSON.stringify({ ...fields, time, level: said, service });
  return { time, level: said, service, msg: withCause(fields.msg, fields.err), json };
}

export function wrap(service: string, now: Date, level: Level, msg: string): Entry {
  const time = now.toISOString();
  return { time, level, service, msg, json: JSON.stringify({ time, level, service, msg }) };
}

/** An ERROR of PostgreSQL is a statement that failed, which its client may well have expected; FATAL ends a session. */
const postgresLevels: Record<string, Level> = { WARNING: 'warn', ERROR: 'warn', FATAL: 'error', PANIC: 'fatal' };
const natsLevels: Record<string, Level> = { TRC: 'trace', DBG: 'debug', WRN: 'warn', ERR: 'error', FTL: 'fatal' };

function recognise(line: string, otherwise: Level): [Level, string] {
  const postgres = /^(?:DEBUG\d?|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|STATEMENT|DETAIL|HINT|CONTEXT|QUERY):\s/.exec(line);
  if (postgres) return [postgresLevels[postgres[0].replace(/\W/g, '')] ?? 'info', line];

  const [, level, text] = /^\[\d+\] \[(TRC|DBG|INF|WRN|ERR|FTL)\] (.*)$/.exec(line) ?? [];
  if (level !== undefined && text !== undefined) return [natsLevels[level] ?? 'info', text];

  if (/^Debugger (listening on|attached)|^Waiting for the debugger|^For help, see: https:\/\/nodejs\.org/.test(line)) return ['info', line];

  return [/^\(node:\d+\)/.test(line) ? 'warn' : otherwise, line];
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function withCause(msg: string, err: unknown): string {
  const cause = typeof err === 'object' && err !== null && 'message' in err && typeof err.message === 'string' ? err.message : '';
  return cause === '' || cause === msg ? msg : `${msg}: ${cause}`;
}
