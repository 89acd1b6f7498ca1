import type { ErrorCode as ContractCode } from './generated/contract.gen';
import type { AnswerFault } from './generated/types.gen';

/**
 * A code of the contract, which may gain new ones, or one for an answer that is not Sheaf's: `redirected`, `empty_response` for a success without the data that belongs to it, and
 * `unexpected_response` for anything that is not the JSON of Sheaf.
 */
export type ErrorCode = ContractCode | 'redirected' | 'empty_response' | 'unexpected_response' | (string & {});

/** A fault of the input. */
export interface ErrorDetail {
  /** The path of the field in the input, or the key of a form field. */
  key: string;
  message: string;
  /** For answers to a form. */
  code?: AnswerFault;
  /** For answers to a form: the bounds that the message names, such as `max`. */
  params?: Record<string, string | number>;
}

/** An answer that is not a success, or not Sheaf's. */
export class SheafError extends Error {
  override readonly name = 'SheafError';
  /** The HTTP status; 0 for a redirect in a browser, which hides it. */
  readonly status: number;
  /** For programs; the message is for people, and may change. */
  readonly code: ErrorCode;
  /** All faults of the input, or the first 30; empty for other errors. */
  readonly details: readonly ErrorDetail[];
  /** The id under which the server's logs have this request. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before another attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: {
      status: number;
      code: ErrorCode;
      details?: readonly ErrorDetail[] | undefined;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
    },
  ) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** No answer: no connection, or one that broke. It is unknown whether the server has done the work. */
export class SheafConnectionError extends Error {
  override readonly name: string = 'SheafConnectionError';
}

/** No complete answer in time. */
export class SheafTimeoutError extends SheafConnectionError {
  override readonly name = 'SheafTimeoutError';
}
