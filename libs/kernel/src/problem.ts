/** The codes that clients branch on. Section 7 of the v1 contract lists all but `conflict`, `cursor_expired`, `too_many_requests` and `unavailable`. */
export type ProblemCode =
  | 'bad_request'
  | 'unauthorized'
  | 'authentication_required'
  | 'forbidden'
  | 'insufficient_scope'
  | 'not_found'
  | 'payload_too_large'
  | 'conflict'
  /** The list cannot be continued from there; the client starts over. */
  | 'cursor_expired'
  | 'too_many_requests'
  | 'internal_error'
  /** A neighbour is down or too slow. Clients see `internal_error`, with a status that invites a retry. */
  | 'unavailable';

/** One part of an input that has to be corrected: `key` is its path or, for a respondent's answer, the key of the form's field. */
export interface AnswerFault {
  key: string;
  message: string;
  /** For programs, with the bounds that the message names. Only answers have them. */
  code?: string;
  params?: Readonly<Record<string, number | string>>;
}

/** How many faults a refusal lists: enough to correct a form, and no more than a person will read. */
export const maxReportedErrors = 30;

/**
 * An intended refusal. `message` reaches the client, is meant for people and never holds anything internal;
 * clients branch on `code`. Details for the log only go into `cause`.
 */
export class Problem extends Error {
  readonly details: readonly AnswerFault[] | undefined;
  /** When it makes sense to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ProblemCode,
    message: string,
    options?: ErrorOptions & { details?: readonly AnswerFault[] | undefined; retryAfterSeconds?: number | undefined },
  ) {
    super(message, options);
    this.name = 'Problem';
    this.details = options?.details;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }

  /** @param details all faults; only the first `maxReportedErrors` are reported. */
  static badRequest = (message: string, details?: readonly AnswerFault[]): Problem =>
    new Problem('bad_request', message, { details: details?.slice(0, maxReportedErrors) });

  static notFound = (what: string): Problem => new Problem('not_found', `There is no such ${what}.`);

  static forbidden = (message: string): Problem => new Problem('forbidden', message);

  static conflict = (message: string): Problem => new Problem('conflict', message);

  static tooManyRequests = (message: string, retryAfterSeconds: number): Problem =>
    new Problem('too_many_requests', message, { retryAfterSeconds });

  /** Uses the same message for every invalid credential, so that a caller cannot tell the reasons apart. */
  static unauthorized = (cause?: unknown): Problem => new Problem('unauthorized', 'The credentials are not valid.', { cause });

  static unavailable = (cause?: unknown): Problem =>
    new Problem('unavailable', 'Part of the service is down or too slow at the moment. Please try again.', { cause });

  static internal = (cause?: unknown): Problem => new Problem('internal_error', 'Something went wrong on our side.', { cause });

  /** Converts any thrown value to a Problem: a Problem stays as it is, anything else becomes an internal error. */
  static from = (thrown: unknown): Problem => (thrown instanceof Problem ? thrown : Problem.internal(thrown));
}
