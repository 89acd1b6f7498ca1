import type { CalledApp } from './audiences';

/** Returns a caller's token for calls to an app. */
export type TokenFor = (app: CalledApp) => string;

/** The data that accompanies a call from process to process, besides the request itself. */
export interface Call {
  /** The signed caller token (`caller-token.ts`). Services pass a received token on unchanged; issuers sign one for each service. */
  readonly token: string | TokenFor;
  /** Identifies the client's request in all logs. */
  readonly requestId: string;
  /** The client's IP address, if a client caused the call. */
  readonly address?: string | undefined;
  /** A respondent's code for a form with an access code, or their pass (`readAccess`). */
  readonly access?: string | undefined;
  /** The `traceparent` of the client's request, if any. Everything that the call causes, including events, belongs to this trace. */
  readonly trace?: string | undefined;
  /** When the caller stops waiting, in milliseconds since the epoch. Passed on unchanged, so services stop once the caller has given up. */
  readonly deadline: number;
  /**
   * Aborts if the caller disconnects before the deadline. The signal itself is not sent: it cancels the call, which aborts the signal on the
   * other side. Streaming calls have it, and those others that would go on working for nobody.
   */
  readonly signal?: AbortSignal | undefined;
}

/** A call as the called service receives it. */
export interface ArrivedCall extends Call {
  readonly token: string;
}

export const tokenOf = ({ token }: Call, app: CalledApp): string => (typeof token === 'string' ? token : token(app));

export const metadataKeys = {
  token: 'authorization',
  requestId: 'x-request-id',
  trace: 'traceparent',
  address: 'x-client-address',
  access: 'x-form-access',
  problem: 'sheaf-problem-bin',
} as const;
