export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof levels)[number];

export type Entry = {
  /** ISO 8601, UTC. */
  time: string;
  level: Level;
  /** The process that printed it. */
  service: string;
  msg: string;
  /** The stored line: JSON with the four fields above and any others from the process. */
  json: string;
};

/**
 * Parses a line of process output into a log entry. Our services print such entries, which stay unchanged. PostgreSQL, NATS and
 * Node itself print plain text, which is wrapped: its wording gives the level, or else `level` applies.
 * @param hosted the names that a line of this process may also carry, because it hosts several apps
 */
export function toEntry(process: string, line: string, level: Level, now: Date, hosted: readonly string[] = []): Entry {
  const fields = parseObject(line);
  const service = hosted.find((name) => name === fields?.service) ?? process;
  if (typeof fields?.msg !== 'string') return wrap(service, now, ...classify(line, level));

  const time = typeof fields.time === 'string' ? fields.time : now.toISOString();
  const ownLevel = levels.find((known) => known === fields.level) ?? level;
  const isWhole = fields.time === time && fields.level === ownLevel && fields.service === service;
  const json = isWhole ? line : JSON.stringify({ ...fields, time, level: ownLevel, service });
  return { time, level: ownLevel, service, msg: withCause(fields.msg, fields.err), json };
}

export function wrap(service: string, now: Date, level: Level, msg: string): Entry {
  const time = now.toISOString();
  return { time, level, service, msg, json: JSON.stringify({ time, level, service, msg }) };
}

/** An ERROR of PostgreSQL is a failed statement, which its client may well have expected; FATAL ends a session. */
const postgresLevels: Record<string, Level> = { WARNING: 'warn', ERROR: 'warn', FATAL: 'error', PANIC: 'fatal' };
const natsLevels: Record<string, Level> = { TRC: 'trace', DBG: 'debug', WRN: 'warn', ERR: 'error', FTL: 'fatal' };

function classify(line: string, fallback: Level): [Level, string] {
  const postgres = /^(?:DEBUG\d?|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|STATEMENT|DETAIL|HINT|CONTEXT|QUERY):\s/.exec(line);
  if (postgres) return [postgresLevels[postgres[0].replace(/\W/g, '')] ?? 'info', line];

  const [, level, text] = /^\[\d+\] \[(TRC|DBG|INF|WRN|ERR|FTL)\] (.*)$/.exec(line) ?? [];
  if (level !== undefined && text !== undefined) return [natsLevels[level] ?? 'info', text];

  if (/^Debugger (listening on|attached)|^Waiting for the debugger|^For help, see: https:\/\/nodejs\.org/.test(line)) return ['info', line];

  return [/^\(node:\d+\)/.test(line) ? 'warn' : fallback, line];
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
