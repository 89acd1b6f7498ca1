import type { Caller, Scope } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Request, Response } from 'express';
import type { z } from 'zod';

/**
 * Who may take a route: whoever holds a scope (people hold all of them), people only, people with a session only, or anyone, who
 * then counts as a respondent.
 */
export type Access = { scope: Scope } | 'person' | 'session' | 'anyone';

/** What a handler gets: the input, checked, and the call to hand on to the services. */
export interface Given<Q, B> {
  /** Made out for the caller; for `anyone` for a respondent of this instance. */
  call: Call;
  /** The same for calls that stream: it has as long as a stream may take, and is cancelled when the client goes away. */
  streamCall: Call;
  caller: Caller;
  instanceId: string;
  params: Readonly<Record<string, string>>;
  query: Q;
  body: B;
  /** The body as it came, where the row asks for that; else empty. */
  bytes: Buffer;
  request: Request;
  /** For headers of the answer; its body is what the handler returns. */
  response: Response;
  /** Makes out a call for what the gateway asks on nobody's behalf, such as signing in. */
  ownCall: () => Call;
  /** To be called after the caller's own access was changed. */
  forgetCaller: () => void;
}

/** A route is a row: what it is, who may take it, what it takes and gives, and what it does. */
export interface Route<Q extends z.ZodType = z.ZodType, B extends z.ZodType = z.ZodType> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** A title in the imperative. Its name in generated clients and its description are in `openapi/operations.ts`. */
  summary: string;
  access: Access;
  query?: Q;
  body?: B;
  /** For a body of JSON that is taken to the byte, as it is signed: its shape, for the documentation alone. */
  signedBody?: z.ZodType;
  /**
   * Instead of a body: the content types that it takes as they come. Nothing of it has been read when the handler runs; that reads
   * `request`, checks the type, and bounds what it reads.
   */
  upload?: Streams;
  /** Headers that it reads itself, for the documentation. */
  headers?: Readonly<Record<string, z.ZodType>>;
  status: 200 | 201 | 202 | 204;
  /** For how long anybody may keep the answer; without it nobody is told. */
  cacheSeconds?: number;
  /** The shape of the answer, for the documentation and the tests. */
  reply?: z.ZodType;
  /** Instead of a reply: the content types that its handler answers with, as a `Streamed`. */
  stream?: Streams;
  /** The statuses of its refusals, for the documentation and the tests; for v1 those of section 4 of the contract. */
  errors: readonly number[];
  handle: (given: Given<z.output<Q>, z.output<B>>) => Promise<unknown>;
}

/** Content types, without parameters, and what there is to know about each. */
export type Streams = Readonly<Record<string, { description?: string; /** A JSON Schema; bytes without one. */ schema?: object }>>;

/** Only there to let `handle` see the types of its own row. */
export const route = <Q extends z.ZodType, B extends z.ZodType>(row: Route<Q, B>): Route => row;
