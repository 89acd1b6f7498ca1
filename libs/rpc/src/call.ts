/** What travels with a call from process to process, besides the request itself. */
export interface Call {
  /** The signed caller token; see `caller-token.ts`. */
  readonly token: string;
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

export const metadataKeys = { token: 'authorization', requestId: 'x-request-id', trace: 'traceparent', address: 'x-client-address', problem: 'sheaf-problem-bin' } as const;
