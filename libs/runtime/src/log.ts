import { pino, stdTimeFunctions, type Logger } from 'pino';

export type Log = Logger;

/**
 * JSON lines on standard output: time (ISO 8601), level, service, msg, and whatever the line is about. Nobody reading them any more
 * must not stop a process: pino's own destination tries a broken pipe again for ever at the exit, so the lines go through
 * process.stdout, whose failures are dropped.
 */
export function createLog(service: string, level: string): Log {
  if (process.stdout.listenerCount('error', dropped) === 0) process.stdout.on('error', dropped);
  return pino(
    { level, base: { service }, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    process.stdout,
  );
}

const dropped = (): void => undefined;

/** For tests and for tools that talk to people in their own way. */
export const silentLog = (): Log => pino({ level: 'silent' });
