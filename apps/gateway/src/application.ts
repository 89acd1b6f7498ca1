import express, { type Express, type Request, type Response, type Router } from 'express';
import { type Clock, hopHeader, isId, Problem, traceNames } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { discardRest, type Log, type Process } from '@sheaf/runtime';
import { Histogram } from 'prom-client';
import { accessControl, lookUp } from './callers/access';
import { admission, admissionOf, type AdmissionSettings } from './callers/admission';
import type { Callers } from './callers/callers';
import { inputs } from './http/input';
import { connectionsToPages, pagesProxy, routeOfPages, type ProxySettings } from './pages/pages-proxy';
import { rates, type Limits, type Rates } from './callers/rates';
import { errorBody, refusalOf, reply, replyError, WithStatus } from './http/reply';
import { spanOf, traceOf } from './http/request-span';
import { byPath, type Route } from './route';
import { replyStreamed, Streamed } from './http/streamed';

interface Parts {
  process: Process;
  clock: Clock;
  callers: Callers;
  settings: AdmissionSettings & Limits & ProxySettings & { ACCESS_LOG: boolean; BODY_LIMIT_BYTES: number; TRUSTED_PROXIES: string[] };
  /** The pages of the documentation. They are public and served at every host. */
  documentation: Router;
}

const never = new AbortController().signal;

/**
 * The HTTP application for the routes. A request passes through admission (`admission.ts`: id, rates, host), routing, identification of the
 * caller (`access.ts`), input parsing (`input.ts`), the route's handler, and the response (`reply.ts`, `streamed.ts`).
 */
export function application(rows: readonly Route[], { process, clock, callers, settings, documentation }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  // Responses change too often for ETags to be worth the hashing.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', settings.TRUSTED_PROXIES);

  const limits = rates(clock, settings);
  const admit = admission({ settings, rates: limits });
  const serve = serving({ callers, settings, rates: limits });
  const durations = new Histogram({
    name: 'sheaf_http_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [process.metrics],
  });

  app.use((request, response, next) => {
    const startedAt = performance.now();
    response.once('finish', () => discardRest(request));
    response.once('close', () => logAccess(process.log, settings.ACCESS_LOG, { request, response, startedAt }));
    admit(request, response, next);
  });
  /** Measures a request, and starts its span if spans are collected. @returns the trace that the request belongs to */
  const observe = (row: { method: string; path: string }, form: unknown, request: Request, response: Response): string | undefined => {
    const admitted = admissionOf(response);
    admitted.route = row.path;
    if (typeof form === 'string' && isId(form)) admitted.formId = form;
    const timer = durations.startTimer({ method: row.method, route: row.path });
    response.once('close', () => timer({ status: response.writableFinished ? response.statusCode : 'cut off' }));
    return process.tracer ? spanOf(process.tracer, row, request, response, admitted.requestId).trace : traceOf(request);
  };
  // A request that fails because its client disconnected needs neither a response nor an error log.
  const fail = (error: unknown, response: Response, trace: string | undefined, endsWithClient: boolean) => {
    const { requestId } = admissionOf(response);
    if (response.destroyed && (response.headersSent || endsWithClient)) {
      process.log.debug({ err: error, requestId, ...traceNames(trace) }, 'client disconnected during a request');
    } else replyError(response, error, { log: process.log, requestId, trace });
  };

  const toPages = connectionsToPages(process, settings);
  process.onStop('connections to pages', () => toPages.agent.destroy());
  const passOn = pagesProxy({ callers, settings, connections: toPages });
  app.use((request, response, next) => {
    const path = routeOfPages(request);
    if (path === undefined) return next();
    const trace = observe({ method: request.method.toLowerCase(), path }, formOfPage(request.url), request, response);
    passOn(request, response, trace).catch((error: unknown) => fail(error, response, trace, true));
  });
  // Express tries routes in order. Respondents send the most requests, so their routes come first.
  const isForAnyone = ({ access }: Route) => access === 'anyone';
  const tried = [...rows].sort(byPath);
  for (const row of [...tried.filter(isForAnyone), ...tried.filter((row) => !isForAnyone(row))]) {
    const formParam = /\/forms\/:(\w+)/.exec(row.path)?.[1] ?? '';
    app[row.method](row.path, (request, response) => {
      const trace = observe(row, request.params[formParam], request, response);
      serve(row, request, response, trace).catch((error: unknown) => fail(error, response, trace, isStreamed(row) || endsWithClient(row)));
    });
  }

  app.use(documentation);
  addFallbacks(app, rows, process);
  return app;
}

/**
 * The line by which the `X-Request-Id` that a client reports is found. It has the route instead of the path, because paths contain tokens, and
 * neither the address nor anything else of a respondent.
 */
function logAccess(
  log: Log,
  all: boolean,
  { request, response, startedAt }: { request: Request; response: Response; startedAt: number },
): void {
  const status = response.writableFinished ? response.statusCode : 'cut off';
  if (!all && typeof status === 'number' && status < 400) return;
  if (!log.isLevelEnabled('info')) return;
  const { requestId, route, instanceId, formId, who } = admissionOf(response);
  const durationMs = Math.round(performance.now() - startedAt);
  const { method } = request;
  const named = { requestId, method, route, status, code: refusalOf(response), durationMs, instanceId, formId, who };
  log.info({ ...named, ...traceNames(traceOf(request)) }, 'request');
}

/** The form of a page's path: its id if it is one, but maybe its name. */
const formOfPage = (url: string): string | undefined => /^\/f\/([^/?]+)/.exec(url)?.[1];

/**
 * Makes the checks in the order that docs/contract-decisions.md defines (route, credential, scope, input), then calls the route's handler.
 * The services do the rest.
 */
function serving({ callers, settings, rates: limits }: Pick<Parts, 'callers' | 'settings'> & { rates: Rates }) {
  const identifyCaller = accessControl({ callers, rates: limits });
  const input = inputs(settings);
  const streamCallOf = (call: Call, signal: AbortSignal): Call => ({ ...call, deadline: Date.now() + settings.STREAM_TIMEOUT_MS, signal });

  return async function serve(row: Route, request: Request, response: Response, trace: string | undefined): Promise<void> {
    refuseDeliveries(row, request);
    const admitted = admissionOf(response);
    const { requestId, address, host } = admitted;
    const context = { requestId, trace, address, deadline: Date.now() + settings.REQUEST_TIMEOUT_MS };
    if (host === undefined) throw Problem.badRequest('Host: is required');
    const instanceId = await callers.instanceAt(host, context);
    admitted.instanceId = instanceId;
    const known = await identifyCaller(row, { instanceId, request, response, context });
    const { query, body, bytes } = await input(row, request, response);
    const streams = isStreamed(row);
    // Few routes need the signal, and creating it takes time.
    const disconnected = streams || endsWithClient(row) ? abortOnClose(response) : never;
    // Every request passes here, so the properties are listed instead of spread; see docs/contributing/performance.md.
    const call: Call = {
      requestId: context.requestId,
      trace: context.trace,
      address: context.address,
      deadline: context.deadline,
      token: known.tokenFor,
      signal: endsWithClient(row) ? disconnected : undefined,
    };
    const answer = await row.handle({
      call,
      streamCall: streams ? streamCallOf(call, disconnected) : call,
      caller: known.caller,
      instanceId,
      // No route has a wildcard, so every parameter is a single path segment.
      params: request.params as Record<string, string>,
      query,
      body,
      bytes,
      request,
      response,
      gatewayCall: () => ({ ...context, token: callers.gatewayToken }),
      revalidate: async () =>
        (await lookUp(callers, { instanceId, request, context: { ...context, deadline: Date.now() + settings.REQUEST_TIMEOUT_MS } }))
          .caller,
      forgetCaller: () => callers.forget(known.caller),
    });
    if (answer instanceof WithStatus) return reply(response, answer.status, answer.body);
    if (!(answer instanceof Streamed)) return reply(response, row.status, answer, row.cacheSeconds);
    // Routes that stream only unusually large responses create the signal here.
    const signal = streams ? disconnected : abortOnClose(response);
    await replyStreamed(response, row.status, answer, {
      streamCall: streamCallOf(call, signal),
      disconnected: signal,
      firstChunkTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    });
  };
}

/** Answers requests that match no route, and errors thrown outside the routes. */
function addFallbacks(app: Express, rows: readonly Route[], process: Process): void {
  const contextOf = (request: Request, response: Response) => ({
    log: process.log,
    requestId: admissionOf(response).requestId,
    trace: traceOf(request),
  });
  // A known path with another method. `Allow` reveals nothing secret, because the documentation lists the methods.
  const methods = new Map<string, string[]>();
  const refusing = new Set(rows.flatMap(({ path, refusesMethods }) => (refusesMethods === true ? [path] : [])));
  for (const { path, method } of rows) methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  for (const [path, allowed] of methods) {
    app.all(path, (request, response) => {
      response.setHeader('Allow', allowed.toSorted().join(', '));
      const problem = Problem.notFound('operation');
      if (refusing.has(path)) reply(response, 405, errorBody(problem).body);
      else replyError(response, problem, contextOf(request, response));
    });
  }
  app.use((request: Request, response: Response) => replyError(response, Problem.notFound('path'), contextOf(request, response)));
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: unknown) => {
    replyError(response, error, contextOf(request, response));
  });
}

/** A delivery must not submit to a form; otherwise webhooks could trigger each other forever. */
function refuseDeliveries({ method, path }: Route, { headers }: Request): void {
  if (headers[hopName] === undefined || method === 'get' || !path.startsWith('/public/v1/')) return;
  throw Problem.forbidden(`${hopHeader}: webhooks must not submit to forms. If you relay a webhook on purpose, remove this header.`);
}

const hopName = hopHeader.toLowerCase();

const isStreamed = ({ stream, upload }: Route): boolean => (stream ?? upload) !== undefined;
const endsWithClient = (row: Route): boolean => row.endsWithClient === true;

function abortOnClose(response: Response): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => controller.abort());
  return controller.signal;
}
