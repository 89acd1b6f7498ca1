import type { ServiceName } from './audiences';

/** Gives a caller's token for calls to a service. */
export type TokenFor = (service: ServiceName) => string;

/** What travels with a call from process to process, besides the request itself. */
export interface Call {
  /** The signed caller token (`caller-token.ts`): one that came in is handed on as it is, and who signs makes out one for each service. */
  readonly token: string | TokenFor;
  /** Names the client's request in every log that it leaves a line in. */
  readonly requestId: string;
  /** The client's IP address, where the call goes back to one. */
  readonly address?: string | undefined;
  /** The trace of the client's request (`traceparent`), where it has one. What the call leads to belongs to it, events included. */
  readonly trace?: string | undefined;
  /** When the one who asks stops waiting, in milliseconds since the epoch. Handed on as it is, so that nobody works for nobody. */
  readonly deadline: number;
  /**
   * Aborts when the one who asks is gone before that. It does not travel: a stream that it aborts is cancelled, and the other side finds
   * its own aborted. Only calls that stream have it and listen to it.
   */
  readonly signal?: AbortSignal | undefined;
}

/** A call as the service has it that it came to. */
export interface ArrivedCall extends Call {
  readonly token: string;
}

export const tokenOf = ({ token }: Call, service: ServiceName): string => (typeof token === 'string' ? token : token(service));

export const metadataKeys = { token: 'authorization', requestId: 'x-request-id', trace: 'traceparent', address: 'x-client-address', problem: 'sheaf-problem-bin' } as const;
