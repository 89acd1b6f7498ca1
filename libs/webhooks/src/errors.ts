/** The status with which a receiver answers each error. Sheaf retries after every one of them. */
const statuses = {
  missing_header: 400,
  malformed_header: 400,
  timestamp_out_of_tolerance: 400,
  signature_mismatch: 401,
  body_not_raw: 500,
  body_too_large: 413,
  malformed_body: 400,
  unknown_event: 400,
  keys_unavailable: 503,
  in_progress: 409,
} as const;

export type WebhookErrorCode = keyof typeof statuses;

/** The reason why a request was not accepted. Branch on `code`; the message is for people. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }

  /** The HTTP status that fits the error. */
  get status(): number {
    return statuses[this.code];
  }
}
