import { pino, stdTimeFunctions, type Logger } from 'pino';

export type Log = Logger;

/** JSON lines on standard output: time (ISO 8601), level, service, msg, and whatever the line is about. */
export const createLog = (service: string, level: string): Log =>
  pino({
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });

/** For tests and for tools that talk to people in their own way. */
export const silentLog = (): Log => pino({ level: 'silent' });
