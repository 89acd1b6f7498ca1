import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import express, { type Express, type Request, type Response, type Router } from 'express';
import { understood } from '@sheaf/contracts';
import { hasScope, Problem, traceNames, type Caller, type Client, type Scope } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Process } from '@sheaf/runtime';
import { Histogram } from 'prom-client';
import type { z } from 'zod';
import { parseJson } from './body';
import type { Callers, Known } from './callers';
import { reply, replyError } from './reply';
import { spanOf, traceOf } from './request-span';
import { replyStreamed, Streamed } from './streamed';

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
  /** Makes out a call for what the gateway asks on nobody's behalf, such as signing in. */
  ownCall: () => Call;
  /** To be called after the caller's own access was changed. */
  forgetCaller: () => void;
}

/** A route is a row: what it is, who may take it, what it takes and gives, and what it does. */
export interface Route<Q extends z.ZodType = z.ZodType, B extends z.ZodType = z.ZodType> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** What it does, in the imperative. Generated clients name their methods after it. */
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

interface Parts {
  own: Process;
  callers: Callers;
  settings: { REQUEST_TIMEOUT_MS: number; STREAM_TIMEOUT_MS: number; BODY_LIMIT_BYTES: number; TRUSTED_PROXIES: string[] };
  /** What is no operation: it is for whoever asks, at whatever host. */
  pages: Router;
}

/** How long a body of JSON may take to arrive. */
const bodyWithinMs = 30_000;
/** How long what is still on its way is taken in after the answer: who sends without listening would see a broken connection instead of it. */
const lingerMs = 5_000;

const never = new AbortController().signal;

function goneWith(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** The HTTP application that the rows make up. */
export function application(rows: readonly Route[], { own, callers, settings, pages }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  // An API whose answers change: a hash over each of them is work for nothing.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', settings.TRUSTED_PROXIES);

  const readBody = promisify(express.raw({ limit: settings.BODY_LIMIT_BYTES, type: 'application/json' }));
  const durations = new Histogram({
    name: 'sheaf_http_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [own.metrics],
  });

  app.use((request, response, next) => {
    response.once('finish', () => letGo(request));
    next();
  });
  // Express tries one after the other: first those for respondents, of whom there are most.
  const isForAnyone = ({ access }: Route) => access === 'anyone';
  for (const row of [...rows.filter(isForAnyone), ...rows.filter((one) => !isForAnyone(one))]) {
    app[row.method](row.path, (request, response) => {
      const requestId = requestIdOf(request);
      const trace = own.tracer ? spanOf(own.tracer, row, request, response, requestId).trace : traceOf(request);
      response.setHeader('X-Request-Id', requestId);
      const timer = durations.startTimer({ method: row.method, route: row.path });
      response.once('close', () => timer({ status: response.writableFinished ? response.statusCode : 'cut off' }));
      serve(row, request, response, { requestId, trace }).catch((error: unknown) => {
        // What failed because the client of a stream went away, failed for nobody.
        if ((row.stream ?? row.upload) !== undefined && response.destroyed) own.log.debug({ err: error, requestId, ...traceNames(trace) }, 'the client of a stream is gone');
        else replyError(response, error, { log: own.log, requestId, trace });
      });
    });
  }

  // The order of the checks is part of the contract's decisions: route, credential, scope, input; the services do the rest.
  async function serve(row: Route, request: Request, response: Response, names: Pick<Call, 'requestId' | 'trace'>): Promise<void> {
    const own = { requestId: names.requestId, trace: names.trace, address: request.ip, deadline: Date.now() + settings.REQUEST_TIMEOUT_MS };
    if (request.headers.host === undefined) throw Problem.badRequest('Host: is required');
    const instanceId = await callers.instanceAt(request.headers.host, own);
    const known = await whoTakes(row.access, instanceId, request, own);
    const { query, body, bytes } = await input(row, request, response);
    // Written out, see CONTRIBUTING: each request passes here.
    const call: Call = { requestId: own.requestId, trace: own.trace, address: own.address, deadline: own.deadline, token: known.callerToken() };
    const streams = (row.stream ?? row.upload) !== undefined;
    // Of no use to anybody else, and not for nothing.
    const gone = streams ? goneWith(response) : never;
    const answer = await row.handle({
      call,
      streamCall: streams ? { ...call, deadline: Date.now() + settings.STREAM_TIMEOUT_MS, signal: gone } : call,
      caller: known.caller,
      instanceId,
      // No row has a wildcard, so every parameter is one segment of the path.
      params: request.params as Record<string, string>,
      query,
      body,
      bytes,
      request,
      ownCall: () => ({ ...own, token: callers.ownToken() }),
      forgetCaller: () => callers.forget(known.caller),
    });
    if (row.cacheSeconds !== undefined) response.setHeader('Cache-Control', `public, max-age=${row.cacheSeconds}`);
    if (answer instanceof Streamed) await replyStreamed(response, row.status, answer, { gone, firstWithinMs: settings.REQUEST_TIMEOUT_MS });
    else reply(response, row.status, answer);
  }

  async function whoTakes(access: Access, instanceId: string, request: Request, own: Omit<Call, 'token'>): Promise<Known> {
    if (access === 'anyone') return callers.respondent(instanceId);
    const known = await callers.client(instanceId, request.headers.authorization, own);
    checkAccess(access, known.caller);
    return known;
  }

  async function input(row: Route, request: Request, response: Response): Promise<{ query: unknown; body: unknown; bytes: Buffer }> {
    const query = row.query === undefined ? undefined : understood(row.query, request.query);
    if (row.body === undefined && row.signedBody === undefined) return { query, body: undefined, bytes: nothing };

    const late = setTimeout(() => request.destroy(), bodyWithinMs);
    await readBody(request, response).finally(() => clearTimeout(late));
    if (row.body === undefined) return { query, body: undefined, bytes: Buffer.isBuffer(request.body) ? request.body : nothing };
    return { query, body: understood(row.body, bodyOf(request)), bytes: nothing };
  }

  app.use(pages);
  const contextOf = (request: Request) => ({ log: own.log, requestId: requestIdOf(request), trace: traceOf(request) });
  // What no row took. The methods that a path does know are told, as they are no secret: they are in the documentation.
  const methods = new Map<string, string[]>();
  for (const { path, method } of rows) methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  for (const [path, allowed] of methods) {
    app.all(path, (request, response) => {
      response.setHeader('Allow', allowed.join(', '));
      replyError(response, Problem.notFound('operation'), contextOf(request));
    });
  }
  app.use((request: Request, response: Response) => replyError(response, Problem.notFound('path'), contextOf(request)));
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: unknown) => {
    replyError(response, error, contextOf(request));
  });
  return app;
}

const nothing = Buffer.alloc(0);

/** Of a request that was answered before all of it had come, the rest is worth little patience. */
function letGo(request: Request): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const late = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMs).unref();
  request.once('close', () => clearTimeout(late));
}

function checkAccess(access: Exclude<Access, 'anyone'>, caller: Client): void {
  if (typeof access === 'object') {
    if (!hasScope(caller, access.scope)) throw new Problem('insufficient_scope', `This operation needs the scope ${access.scope}.`);
    return;
  }
  if (caller.kind !== 'user') throw Problem.forbidden('This operation is for people, not for service accounts.');
  if (access === 'session' && caller.via !== 'session') throw Problem.forbidden('This operation is for people who are signed in, not for keys.');
}

function bodyOf(request: Request): unknown {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  // Nothing at all says as much as {}: what is missing is then named field by field.
  if (isEmpty) return {};
  const bytes = request.body as unknown;
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!Buffer.isBuffer(bytes) || !/^utf-?8$/i.test(charset)) throw Problem.badRequest('Content-Type: must be application/json');
  const body = parseJson(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw Problem.badRequest('The body must be a JSON object.');
  return body;
}

// One that a proxy in front of us gave is kept, so that the client's request has one name everywhere.
function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
