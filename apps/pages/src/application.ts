import { Problem, readTrace, traceNames } from '@sheaf/kernel';
import { pageHeaders } from '@sheaf/rpc';
import { discardRest, type Process } from '@sheaf/runtime';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import { Histogram } from 'prom-client';
import { headerOf, readAsked, type AskedSettings } from './asked';
import type { Assets } from './assets';
import type { FormPages } from './form/pages';
import { frontPage } from './front-page';
import { sendHtml } from './html';

interface Parts {
  process: Process;
  settings: AskedSettings;
  assets: Assets;
  form: FormPages;
  /** The console, see console.ts. */
  console: Router;
}

/** The headers of every response. The pages of a form and the console replace the policy with their own. */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves pages to respondents, and only through the gateway, which knows their instance. */
export function application({ process, settings, assets, form, console }: Parts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');

  const observe = observer(process);
  app.use((request, response, next) => {
    for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
    response.once('finish', () => discardRest(request));
    response.locals.asked = readAsked(request, response, { ...settings, trace: observe(request, response) });
    next();
  });
  const front = frontPage(assets);
  app.get('/', (_request, response) => sendHtml(response, 200, front));
  app.use(form.router);
  app.use(assets.router);
  app.use(console);
  app.use(() => {
    throw Problem.notFound('page');
  });
  // Express recognizes an error handler by its four parameters.
  app.use((thrown: unknown, request: Request, response: Response, _next: NextFunction) => {
    const problem = problemOf(thrown);
    if (problem.code === 'internal_error' || problem.code === 'unavailable') {
      const names = { requestId: headerOf(request, pageHeaders.requestId), ...traceNames(readTrace(headerOf(request, pageHeaders.trace))) };
      process.log.error({ err: problem.cause ?? problem, ...names }, 'request failed');
    }
    if (response.headersSent) response.destroy();
    else if (response.locals.asked === undefined) refuse(response, problem);
    else form.answerProblem(problem, request, response);
  });
  return app;
}

/** Measures requests by route, and starts a span for each if spans are collected. @returns the trace that the request belongs to */
function observer({ metrics, tracer }: Process): (request: Request, response: Response) => string | undefined {
  const durations = new Histogram({
    name: 'sheaf_page_duration_seconds',
    help: 'Time to answer a request for a page, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  return (request, response) => {
    const arrived = readTrace(headerOf(request, pageHeaders.trace));
    const requestId = headerOf(request, pageHeaders.requestId);
    const attributes = { 'http.request.method': request.method, 'sheaf.request_id': requestId };
    const span = tracer?.start('server', `${request.method} page`, arrived, attributes);
    const timer = durations.startTimer({ method: request.method });
    response.once('close', () => {
      const { path } = (request.route ?? {}) as { path?: string };
      const isComplete = response.writableFinished;
      const status = isComplete ? response.statusCode : 'cut off';
      timer({ route: path ?? 'none', status });
      span?.end({
        ...(isComplete ? { 'http.response.status_code': response.statusCode } : {}),
        ...(path === undefined ? {} : { 'http.route': path }),
        ...(isComplete && response.statusCode < 500 ? {} : { 'error.type': String(status) }),
      });
    });
    return span?.trace ?? arrived;
  };
}

/** Errors of Express and its parsers carry a status; a path that cannot be decoded leads to no page. */
function problemOf(thrown: unknown): Problem {
  if (thrown instanceof URIError) return Problem.notFound('page');
  const { status } = (thrown ?? {}) as { status?: unknown };
  if (thrown instanceof Error && !(thrown instanceof Problem) && typeof status === 'number' && status < 500)
    return Problem.badRequest('The request could not be read.');
  return Problem.from(thrown);
}

/** Answers a request that did not come through the gateway. */
function refuse(response: Response, { code, message }: Problem): void {
  response.statusCode = code === 'unauthorized' ? 401 : 503;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${message}\n`);
}
