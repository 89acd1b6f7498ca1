import { pino, stdTimeFunctions, type Logger } from 'pino';
import { loggedErrors } from './logged-errors';
import { output } from './output';

export type Log = Logger;

/** Writes JSON lines to standard output: time (ISO 8601), level, service, msg and the details of the line. */
export function createLog(service: string, level: string): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: loggedErrors() },
    },
    output,
  );
}

/** For tests, and for tools with their own output. */
export const silentLog = (): Log => pino({ level: 'silent' });
