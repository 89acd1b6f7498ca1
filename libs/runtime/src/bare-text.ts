import { format } from 'node:util';
import type { Log } from './log';

/**
 * Makes lines of the log of everything that Node and the libraries would print as bare text: the warnings of Node, what a library says by the
 * console, and the exception that ends the process. A collector of logs reads each line as JSON, and would take a trace for thirty lines that
 * nobody can search. Only V8 itself still prints text, when the memory ends.
 */
export function logBareText(log: Log): void {
  // Node's own listener prints to standard error.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
  for (const [method, level] of Object.entries(levels))
    console[method as keyof typeof levels] = (...said: unknown[]) =>
      log[level]({ said: format(...said).slice(0, maxSaid) }, 'said by a library');
  // Work in progress is in an unknown state by then. A new process starts clean, and all important data is in the database.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error', trace: 'debug' } as const;
const maxSaid = 1_000;
