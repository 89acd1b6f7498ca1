import { pino, stdTimeFunctions, type Logger } from 'pino';

export type Log = Logger;

/**
 * Writes JSON lines to standard output: time (ISO 8601), level, service, msg and the details of the line. The process must not hang when its
 * log has no reader: at exit, pino's own destination retries a broken pipe forever, so the lines go through process.stdout, whose errors
 * are ignored.
 */
export function createLog(service: string, level: string): Log {
  if (process.stdout.listenerCount('error', dropped) === 0) process.stdout.on('error', dropped);
  return pino(
    { level, base: { service }, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    process.stdout,
  );
}

const dropped = (): void => undefined;

/** For tests, and for tools with their own output. */
export const silentLog = (): Log => pino({ level: 'silent' });
