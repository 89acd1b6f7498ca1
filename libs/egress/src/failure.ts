import { errors } from 'undici';

/** Why a call to the outside failed; these names stand in the log of deliveries and in the metrics. */
export type FailureName =
  /** The URL itself is not one that we call. */
  | 'url_not_allowed'
  /** The host has an address that is not public. */
  | 'address_not_allowed'
  | 'dns'
  | 'connection_refused'
  | 'unreachable'
  | 'tls'
  /** The connection was closed before there was an answer. */
  | 'reset'
  /** What came back is not HTTP. */
  | 'protocol'
  | 'timeout'
  | 'unknown';

/** A failure that is named already. `message` says what is wrong, to be read behind the name of the field that holds the URL. */
export class Failure extends Error {
  constructor(
    readonly failure: FailureName,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'Failure';
  }
}

const byCode: Record<string, FailureName> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
};

/** The name of what a socket or undici threw. */
export function nameOf(thrown: unknown): FailureName {
  if (thrown instanceof Failure) return thrown.failure;
  if (thrown instanceof errors.HTTPParserError) return 'protocol';
  const { code } = thrown as { code?: unknown };
  return (typeof code === 'string' ? byCode[code] : undefined) ?? 'unknown';
}
