/** The codes that clients branch on. All but `conflict`, `too_many_requests` and `unavailable` stand in section 7 of the v1 contract. */
export type ProblemCode =
  | 'bad_request'
  | 'unauthorized'
  | 'authentication_required'
  | 'forbidden'
  | 'insufficient_scope'
  | 'not_found'
  | 'payload_too_large'
  | 'conflict'
  | 'too_many_requests'
  | 'internal_error'
  /** A neighbour is down or too slow. Outside it is told as `internal_error`, with a status that invites another try. */
  | 'unavailable';

/** One answer that a respondent has to correct: `key` is the field's key in the form. */
export interface AnswerFault {
  key: string;
  message: string;
}

/** How many faults a refusal lists: enough to correct a form, and no more than a person reads. */
export const toldAtMost = 30;

/**
 * A refusal that we meant to give. `message` is for people, reaches the client, and never holds anything internal;
 * clients branch on `code`. What only the log may know goes into `cause`.
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

  /** @param details all that is wrong, of which the first ones are told. */
  static badRequest = (message: string, details?: readonly AnswerFault[]): Problem => new Problem('bad_request', message, { details: details?.slice(0, toldAtMost) });

  static notFound = (what: string): Problem => new Problem('not_found', `There is no such ${what}.`);

  static forbidden = (message: string): Problem => new Problem('forbidden', message);

  static conflict = (message: string): Problem => new Problem('conflict', message);

  static tooManyRequests = (message: string, retryAfterSeconds: number): Problem => new Problem('too_many_requests', message, { retryAfterSeconds });

  /** The same words for every way in which a credential can fail, so that none of them can be told from another. */
  static unauthorized = (cause?: unknown): Problem => new Problem('unauthorized', 'The credentials are not valid.', { cause });

  static unavailable = (cause?: unknown): Problem =>
    new Problem('unavailable', 'The service cannot answer right now. Please try again.', { cause });

  static internal = (cause?: unknown): Problem => new Problem('internal_error', 'Something went wrong on our side.', { cause });

  /** What is thrown anywhere, as something that may be answered: our own refusals as they are, all else as an internal failure. */
  static from = (thrown: unknown): Problem => (thrown instanceof Problem ? thrown : Problem.internal(thrown));
}
