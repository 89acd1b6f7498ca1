import { isIPv4 } from 'node:net';

/** Why a call to the outside failed; these names stand in the log of deliveries and in the metrics. */
export type FailureName =
  /** The URL itself is not one that we call. */
  | 'url_not_allowed'
  /** The host has an address that is not public. */
  | 'address_not_allowed'
  /** The host and port are those of this deployment. */
  | 'origin_not_allowed'
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

/**
 * A call that never began, through a fault of ours: not the other side's to answer for.
 * `stage` says where: `name`, our own name server does not answer; `socket`, this machine has no file descriptor, port or memory left;
 * `egress`, our own code failed.
 */
export class OwnFailure extends Error {
  constructor(
    readonly stage: 'name' | 'socket' | 'egress',
    cause: unknown,
  ) {
    super(`our own failure (${stage})`, { cause });
    this.name = 'OwnFailure';
  }
}

const exhausted = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAGAIN']);

/** What was thrown before anything was sent, as a fault of ours if it is one. */
export function ownFailure(thrown: unknown): OwnFailure | undefined {
  if (thrown instanceof OwnFailure) return thrown;
  if (thrown instanceof Failure) return thrown.cause instanceof OwnFailure ? thrown.cause : undefined;
  // Several addresses were tried, and each has an error of its own.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) {
    const each = thrown.errors.map(ownFailure);
    return each.every((one) => one !== undefined) ? each[0] : undefined;
  }
  const { code, address } = thrown as { code?: unknown; address?: unknown };
  if (typeof code !== 'string') return new OwnFailure('egress', thrown);
  // All of our ports are taken. For IPv6 it can also mean that this machine has none, and then an attempt later is no better.
  const portless = code === 'EADDRNOTAVAIL' && typeof address === 'string' && isIPv4(address);
  return exhausted.has(code) || portless ? new OwnFailure('socket', thrown) : undefined;
}

const byCode: Record<string, FailureName> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  // The connection was closed in the middle of the head.
  HPE_INVALID_EOF_STATE: 'reset',
  ETIMEDOUT: 'timeout',
};

/** The name of what a socket or the parser of HTTP threw. */
export function nameOf(thrown: unknown): FailureName {
  if (thrown instanceof Failure) return thrown.failure;
  const { code } = thrown as { code?: unknown };
  if (typeof code !== 'string') return 'unknown';
  return byCode[code] ?? (code.startsWith('HPE_') ? 'protocol' : 'unknown');
}
