import { isIPv4 } from 'node:net';

/** Why an outgoing call failed; these names appear in the delivery log and in the metrics. */
export type FailureName =
  /** The rules do not allow the URL itself. */
  | 'url_not_allowed'
  /** The host has an address that is not public. */
  | 'address_not_allowed'
  /** The host and port belong to this deployment. */
  | 'origin_not_allowed'
  | 'dns'
  | 'connection_refused'
  | 'unreachable'
  | 'tls'
  /** The proxy opened no connection to the host. */
  | 'proxy'
  /** The connection was closed before the response. */
  | 'reset'
  /** The response is not valid HTTP. */
  | 'protocol'
  | 'timeout'
  | 'unknown';

/** A failure with a known name. `message` reads as a sentence after the name of the field that holds the URL. */
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

/**
 * A call that never began because of a fault on our side.
 * `stage` says where: `name` – our name server does not answer; `socket` – this machine has no file descriptor, port or memory left;
 * `proxy` – our proxy cannot be reached; `egress` – our code failed.
 */
export class OwnFailure extends Error {
  constructor(
    readonly stage: 'name' | 'socket' | 'proxy' | 'egress',
    cause: unknown,
  ) {
    super(`our own failure (${stage})`, { cause });
    this.name = 'OwnFailure';
  }
}

const exhausted = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN']);

/** Converts an error thrown before anything was sent to an `OwnFailure`, if the fault is ours. */
export function ownFailure(thrown: unknown): OwnFailure | undefined {
  if (thrown instanceof OwnFailure) return thrown;
  if (thrown instanceof Failure) return thrown.cause instanceof OwnFailure ? thrown.cause : undefined;
  // Several addresses were tried, and each has its own error.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) {
    const each = thrown.errors.map(ownFailure);
    return each.every((one) => one !== undefined) ? each[0] : undefined;
  }
  const { code, address } = thrown as { code?: unknown; address?: unknown };
  if (typeof code !== 'string') return new OwnFailure('egress', thrown);
  // All our ports are in use. For IPv6 the code can also mean that this machine has no IPv6, and then a later attempt would fail too.
  const hasNoPortLeft = code === 'EADDRNOTAVAIL' && typeof address === 'string' && isIPv4(address);
  return exhausted.has(code) || hasNoPortLeft ? new OwnFailure('socket', thrown) : undefined;
}

const byCode: Record<string, FailureName> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  // The connection was closed in the middle of the response head.
  HPE_INVALID_EOF_STATE: 'reset',
  ETIMEDOUT: 'timeout',
};

/** Names an error thrown by a socket or by the HTTP parser. */
export function nameOf(thrown: unknown): FailureName {
  if (thrown instanceof Failure) return thrown.failure;
  const code = codeOf(thrown);
  if (code === undefined) return 'unknown';
  // With TLS 1.3 a server may refuse us after the handshake.
  if (code.startsWith('ERR_SSL_')) return 'tls';
  return byCode[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'unknown');
}

/** The code that Node gives a failure, such as `CERT_HAS_EXPIRED` or `HPE_HEADER_OVERFLOW`. */
export function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof Failure) return thrown.cause === undefined ? undefined : codeOf(thrown.cause);
  const { code } = thrown as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
