import express, { type Express, type Request, type Response, type Router } from 'express';
import { type Clock, hopHeader, Problem, traceNames } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Process } from '@sheaf/runtime';
import { Histogram } from 'prom-client';
import { gate } from './access';
import { admission, admittedAs, type AdmissionSettings } from './admission';
import type { Callers } from './callers';
import { inputs } from './input';
import { rates, type Limits } from './rates';
import { reply, replyError } from './reply';
import { spanOf, traceOf } from './request-span';
import type { Route } from './route';
import { replyStreamed, Streamed } from './streamed';

interface Parts {
  own: Process;
  clock: Clock;
  callers: Callers;
  settings: AdmissionSettings & Limits & { REQUEST_TIMEOUT_MS: number; STREAM_TIMEOUT_MS: number; BODY_LIMIT_BYTES: number; TRUSTED_PROXIES: string[] };
  /** What is no operation: it is for whoever asks, at whatever host. */
  pages: Router;
}

/** How long what is still on its way is taken in after the answer: who sends without listening would see a broken connection instead of it. */
const lingerMs = 5_000;

const never = new AbortController().signal;

/**
 * The HTTP application that the rows make up. A request goes through admission (`admission.ts`: id, rates, host), its route, who is calling
 * (`access.ts`), what was sent (`input.ts`), the handler of its row, and the answer (`reply.ts`, `streamed.ts`).
 */
export function application(rows: readonly Route[], { own, clock, callers, settings, pages }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  // An API whose answers change: a hash over each of them is work for nothing.
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', settings.TRUSTED_PROXIES);

  const limits = rates(clock, settings);
  const admit = admission({ settings, rates: limits });
  const whoTakes = gate({ callers, rates: limits });
  const input = inputs(settings);
  const durations = new Histogram({
    name: 'sheaf_http_duration_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [own.metrics],
  });

  app.use((request, response, next) => {
    response.once('finish', () => letGo(request));
    admit(request, response, next);
  });
  // Express tries one after the other: first those for respondents, of whom there are most.
  const isForAnyone = ({ access }: Route) => access === 'anyone';
  for (const row of [...rows.filter(isForAnyone), ...rows.filter((one) => !isForAnyone(one))]) {
    app[row.method](row.path, (request, response) => {
      const { requestId } = admittedAs(response);
      const trace = own.tracer ? spanOf(own.tracer, row, request, response, requestId).trace : traceOf(request);
      const timer = durations.startTimer({ method: row.method, route: row.path });
      response.once('close', () => timer({ status: response.writableFinished ? response.statusCode : 'cut off' }));
      serve(row, request, response, trace).catch((error: unknown) => {
        // What failed because the client of a stream went away, failed for nobody.
        if (response.destroyed && (response.headersSent || (row.stream ?? row.upload) !== undefined)) own.log.debug({ err: error, requestId, ...traceNames(trace) }, 'the client of a stream is gone');
        else replyError(response, error, { log: own.log, requestId, trace });
      });
    });
  }

  // The order of the checks is part of the contract's decisions: route, credential, scope, input; the services do the rest.
  async function serve(row: Route, request: Request, response: Response, trace: string | undefined): Promise<void> {
    refuseDeliveries(row, request);
    const { requestId, address, host } = admittedAs(response);
    const own = { requestId, trace, address, deadline: Date.now() + settings.REQUEST_TIMEOUT_MS };
    if (host === undefined) throw Problem.badRequest('Host: is required');
    const instanceId = await callers.instanceAt(host, own);
    const known = await whoTakes(row.access, { instanceId, request, response, own });
    const { query, body, bytes } = await input(row, request, response);
    // Written out, see docs/contributing/performance.md: each request passes here.
    const call: Call = { requestId: own.requestId, trace: own.trace, address: own.address, deadline: own.deadline, token: known.tokenFor };
    const streams = (row.stream ?? row.upload) !== undefined;
    // Only streams need it, and it costs time on every request.
    const gone = streams ? goneWith(response) : never;
    const answer = await row.handle({
      call,
      streamCall: streams ? streamCallOf(call, gone) : call,
      caller: known.caller,
      instanceId,
      // No row has a wildcard, so every parameter is one segment of the path.
      params: request.params as Record<string, string>,
      query,
      body,
      bytes,
      request,
      response,
      ownCall: () => ({ ...own, token: callers.ownToken }),
      forgetCaller: () => callers.forget(known.caller),
    });
    if (!(answer instanceof Streamed)) return reply(response, row.status, answer, row.cacheSeconds);
    // A row whose answer is seldom that large learns only now whether its client is still there.
    const signal = streams ? gone : goneWith(response);
    await replyStreamed(response, row.status, answer, { streamCall: streamCallOf(call, signal), gone: signal, firstWithinMs: settings.REQUEST_TIMEOUT_MS });
  }

  const streamCallOf = (call: Call, signal: AbortSignal): Call => ({ ...call, deadline: Date.now() + settings.STREAM_TIMEOUT_MS, signal });

  app.use(pages);
  const contextOf = (request: Request, response: Response) => ({ log: own.log, requestId: admittedAs(response).requestId, trace: traceOf(request) });
  // What no row took. The methods that a path does know are told, as they are no secret: they are in the documentation.
  const methods = new Map<string, string[]>();
  for (const { path, method } of rows) methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  for (const [path, allowed] of methods) {
    app.all(path, (request, response) => {
      response.setHeader('Allow', allowed.join(', '));
      replyError(response, Problem.notFound('operation'), contextOf(request, response));
    });
  }
  app.use((request: Request, response: Response) => replyError(response, Problem.notFound('path'), contextOf(request, response)));
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: unknown) => {
    replyError(response, error, contextOf(request, response));
  });
  return app;
}

/** What respondents send is no delivery of ours. */
function refuseDeliveries({ method, path }: Route, { headers }: Request): void {
  if (headers[hopName] === undefined || method === 'get' || !path.startsWith('/public/v1/')) return;
  throw Problem.forbidden(`${hopHeader}: a webhook must not send to a form. Drop this header if you relay it on purpose.`);
}

const hopName = hopHeader.toLowerCase();

function goneWith(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Of a request that was answered before all of it had come, the rest is worth little patience. */
function letGo(request: Request): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const late = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMs).unref();
  request.once('close', () => clearTimeout(late));
}
