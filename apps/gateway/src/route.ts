import type { PathParam } from '@sheaf/contracts';
import type { Caller, Client, InstanceAction, Scope } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Request, Response } from 'express';
import type { z } from 'zod';

/**
 * The callers that may use a route: those with a scope (people have all scopes), only people, only people with a session, whoever has a key or a
 * session in the header `Authorization` and not in a cookie, or anyone. The caller of an `anyone` route counts as a respondent.
 */
export type Access = { scope: Scope } | 'person' | 'session' | 'bearer' | 'anyone';

/** The argument of a handler: the validated input, and the call context for the services. */
export interface HandlerContext<Q, B> {
  /** For calls on behalf of the caller; on `anyone` routes, of a respondent of this instance. Cancelled as `endsWithClient` says. */
  call: Call;
  /** Like `call`, but with the deadline of a stream, and cancelled when the client disconnects. */
  streamCall: Call;
  caller: Caller;
  instanceId: string;
  params: Readonly<Record<string, string>>;
  query: Q;
  body: B;
  /** The raw body if the route has a `signedBody`, or if it is a `fileBody`; otherwise empty. */
  bytes: Buffer;
  request: Request;
  /** For response headers. The body is the handler's return value. */
  response: Response;
  /** For calls that the gateway makes on its own behalf, such as signing in. */
  gatewayCall: () => Call;
  /** Looks the caller up again, for long requests. @throws Problem if the credential is not valid any more */
  revalidate: () => Promise<Client>;
  /** Call this after a change to the caller's own access. */
  forgetCaller: () => void;
}

/** A route is one row of a table: its operation, access, input, output and handler. */
export interface Route<Q extends z.ZodType = z.ZodType, B extends z.ZodType = z.ZodType> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** A title in the imperative. */
  summary: string;
  /** The name in generated clients. */
  id: string;
  /** The text that complements the summary. */
  description: string;
  /** The parameters of the path. */
  params?: Readonly<Record<string, PathParam>>;
  access: Access;
  /** The permission that the role of a person in the whole instance must give. A service account needs the scope of `access` alone. */
  onInstance?: InstanceAction | undefined;
  query?: Q;
  body?: B;
  /** For a signed JSON body, which the handler receives as raw bytes: its shape, only for the documentation. */
  signedBody?: z.ZodType;
  /** A content type that the route takes besides the JSON of `body`, at most as large. The handler receives it as raw bytes, without a body. */
  fileBody?: string;
  /**
   * Replaces `body` for uploads: the accepted content types. The body is unread when the handler runs; the handler reads `request`, checks
   * the type and limits the size.
   */
  upload?: Streams;
  /** Whether the call is cancelled when the client disconnects, as streams are: for what keeps a service busy for a while. */
  endsWithClient?: boolean;
  /** Whether another method gets a 405, which protocols of others expect, instead of the 404 of the contract. */
  refusesMethods?: boolean;
  /** The headers that the handler reads, for the documentation. */
  headers?: Readonly<Record<string, z.ZodType>>;
  status: 200 | 201 | 202 | 204;
  /** How long any cache may store the response; if absent, no cache may. */
  cacheSeconds?: number;
  /** The shape of the response, for the documentation and the tests. */
  reply?: z.ZodType;
  /** Replaces `reply` if the handler returns a `Streamed`: its content types. */
  stream?: Streams;
  /** The error statuses, for the documentation and the tests. For v1, those in section 4 of the contract. */
  errors: readonly number[];
  handle: (context: HandlerContext<z.output<Q>, z.output<B>>) => Promise<unknown>;
}

/** Content types without parameters, each with its description and schema. */
export type Streams = Readonly<Record<string, { description?: string; /** A JSON Schema; bytes without one. */ schema?: object }>>;

/** Infers the types of `handle` from the row. */
export const route = <Q extends z.ZodType, B extends z.ZodType>(row: Route<Q, B>): Route => row;

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Sorts routes as they must be tried: in the place of a parameter, names come first, because the parameter would take them for its value. */
export function byPath(a: Pick<Route, 'path' | 'method'>, b: Pick<Route, 'path' | 'method'>): number {
  const [parts, others] = [a.path.split('/'), b.path.split('/')];
  const index = parts.findIndex((part, at) => part !== others[at]);
  if (index === -1) return parts.length - others.length || methods.indexOf(a.method) - methods.indexOf(b.method);
  const [part = '', other] = [parts[index], others[index]];
  if (other === undefined) return 1;
  return Number(part.startsWith(':')) - Number(other.startsWith(':')) || (part < other ? -1 : 1);
}
