import { SheafConnectionError, SheafError } from '@sheaf/client';
import { cell } from './show';

/** A refusal or failure that a person can read. */
export class Failure extends Error {
  constructor(
    message: string,
    /** 1: refused or failed; 2: wrong usage. */
    readonly exitCode: 1 | 2 = 1,
    /** For programs. */
    readonly code = exitCode === 2 ? 'usage' : 'refused',
  ) {
    super(message);
  }
}

/** An error for a person. The key is in none. @param adviceAfter the next step, if there is one */
export function failureOf(error: unknown, adviceAfter: (error: Error) => string | undefined): Failure {
  if (error instanceof Failure) return error;
  const cause = error instanceof Error ? error : new Error(String(error));
  const advice = adviceAfter(cause);
  if (cause instanceof SheafError) {
    const faults = cause.details.length > 1 ? cause.details.map(({ key, message }) => `  ${key}: ${message}`) : [];
    const id = cause.requestId === undefined ? '' : ` (request ${cause.requestId})`;
    const lines = [`${withoutOperation(cause.message)}${id}`, ...faults, ...(advice === undefined ? [] : [advice])];
    return new Failure(lines.map((line) => cell(line)).join('\n'), 1, cause.code);
  }
  if (cause instanceof SheafConnectionError)
    return new Failure(
      `Sheaf did not answer: ${withoutOperation(cause.message).replace(/\.$/, '')}. Check the address and the network, and that Sheaf runs there.`,
      1,
      'no_connection',
    );
  return new Failure(advice === undefined ? cause.message : `${cause.message.replace(/;[^;]*$/, '.')} ${advice}`, 1, 'failed');
}

/** The client's messages begin with the operation, which is for developers. */
export const withoutOperation = (message: string): string => message.replace(/^[A-Z]+ \/\S*: /, '');
