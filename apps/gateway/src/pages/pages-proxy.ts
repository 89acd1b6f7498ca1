import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Stream } from 'node:stream';
import { hopHeader, Problem } from '@sheaf/kernel';
import { formPassCookie, httpAgentFor, pageHeaders, type HttpConnections, type TlsSettings } from '@sheaf/rpc';
import type { Process } from '@sheaf/runtime';
import type { Request, Response } from 'express';
import { createProxyMiddleware, type Options } from 'http-proxy-middleware';
import { admissionOf } from '../callers/admission';
import type { Callers } from '../callers/callers';
import { idleMs as uploadIdleMs } from '../http/upload';

export interface ProxySettings extends TlsSettings {
  /** `host:port` */
  PAGES_ADDR: string;
  REQUEST_TIMEOUT_MS: number;
  STREAM_TIMEOUT_MS: number;
}

/** Passes a request on to `pages`, and the response back. Rejects with a Problem if `pages` does not answer, or stops in the middle. */
export type PassOn = (request: Request, response: Response, trace: string | undefined) => Promise<void>;

const routes = /^(\/f\/|\/assets\/|\/console(?=$|[/?])|\/invitations\/|\/embed\.js(?=$|\?)|\/(?=$|\?))/;

/** The start of the path, if the request is for `pages`. */
export const routeOfPages = ({ method, url }: { method: string; url: string }): string | undefined =>
  method in passedWith ? routes.exec(url)?.[1] : undefined;

/** The client's headers that a page depends on. Credentials are not among them. */
const passedHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'host',
  'if-none-match',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
];
const bodyHeaders = ['content-length', 'content-type', 'transfer-encoding'];
/** Only a POST has a body that pages read. */
const passedWith = { GET: passedHeaders, HEAD: passedHeaders, POST: [...passedHeaders, ...bodyHeaders] };
type Method = keyof typeof passedWith;

/** The headers of a response that concern only the connection to `pages`, or that the gateway sets itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade', 'x-request-id']);

/** How long a connection to `pages` may be idle. A stopping copy waits longer, so no request meets a connection that is being closed. */
const idleConnectionMs = 4_000;

/** A request that is being passed on. */
interface Exchange {
  hasBody: boolean;
  outgoing?: ClientRequest;
  onAnswer: (answer: IncomingMessage) => void;
  onFailure: (error: Error) => void;
}

/** The connections to `pages`. A gateway that ends with open ones lets `pages` wait for them when it stops. */
export const connectionsToPages = (process: Process, settings: TlsSettings): HttpConnections =>
  httpAgentFor('pages', process, settings, { keepAlive: true, timeout: idleConnectionMs });

/** @param idleMs how long a client may pause while it sends a body; tests use another value. */
export function pagesProxy({
  callers,
  settings,
  connections,
  idleMs = uploadIdleMs,
}: {
  callers: Pick<Callers, 'instanceAt' | 'respondent'>;
  settings: ProxySettings;
  connections: HttpConnections;
  idleMs?: number;
}): PassOn {
  const send = sender(settings.PAGES_ADDR, connections);

  return async function passOn(request, response, trace) {
    refuseDeliveries(request);
    const admitted = admissionOf(response);
    const { requestId, address, host } = admitted;
    const isPost = request.method === 'POST';
    const now = Date.now();
    const context = { requestId, trace, address, deadline: now + settings.REQUEST_TIMEOUT_MS };
    if (host === undefined) throw Problem.badRequest('Host: is required');
    if (request.headers['content-encoding'] !== undefined)
      throw Problem.badRequest('Content-Encoding: pages do not accept compressed bodies');
    const instanceId = await callers.instanceAt(host, context);
    admitted.instanceId = instanceId;

    const headers: Record<string, string> = {
      [pageHeaders.token]: callers.respondent(instanceId).tokenFor('pages'),
      [pageHeaders.requestId]: requestId,
      [pageHeaders.scheme]: request.secure ? 'https' : 'http',
      [pageHeaders.deadline]: String(isPost ? now + settings.STREAM_TIMEOUT_MS : context.deadline),
    };
    if (address !== undefined) headers[pageHeaders.address] = address;
    if (trace !== undefined) headers[pageHeaders.trace] = trace;
    const pass = formPass(request);
    if (pass !== undefined) headers[pageHeaders.formPass] = pass;
    for (const name of passedWith[request.method as Method]) {
      const value = request.headers[name]?.toString();
      if (value !== undefined) headers[name] = value;
    }
    request.headers = headers;
    await exchange(request, response, { send, timeoutMs: settings.REQUEST_TIMEOUT_MS, idleMs });
  };
}

const passes = { secure: passIn(formPassCookie(true)), plain: passIn(formPassCookie(false)) };

function passIn(name: string): RegExp {
  return new RegExp(`(?:^|;) *${name}=([\\w.-]{1,1000})(?:;|$)`);
}

/** The pass that the browser was given for the code of a form: the only one of its cookies that pages get. */
const formPass = (request: Request): string | undefined =>
  (request.secure ? passes.secure : passes.plain).exec(request.headers.cookie ?? '')?.[1];

type Send = (request: Request, response: Response, exchange: Exchange) => void;

/** @returns a function that sends a request, with its headers, to `pages` */
function sender(address: string, { agent, protocol }: HttpConnections): Send {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const { hostname, port } = new URL(`http://${address}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  const options: Options<Request, Response> = {
    // Already parsed, and joined with nothing: otherwise the proxy would parse the address and the path for each request.
    target: { protocol, host, hostname: host, port },
    prependPath: false,
    toProxy: true,
    agent,
    selfHandleResponse: true,
    // The default ones log to the console and answer errors as plain text.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('proxyReq', (outgoing, request) => {
          const exchange = exchanges.get(request);
          if (exchange) exchange.outgoing = outgoing;
        });
        server.on('proxyRes', (answer, request) => exchanges.get(request)?.onAnswer(answer));
        server.on('error', (error, request) => exchanges.get(request)?.onFailure(error));
      },
    ],
  };
  const withBody = createProxyMiddleware(options);
  // Piping the end of a request that has no body takes a tenth of the work of passing it on.
  const withoutBody = createProxyMiddleware({
    ...options,
    buffer: { pipe: (outgoing: ClientRequest) => outgoing.end() } as unknown as Stream,
  });
  return (request, response, exchange) => {
    exchanges.set(request, exchange);
    const proxy = exchange.hasBody ? withBody : withoutBody;
    void proxy(request, response, (error: unknown) => exchange.onFailure(error as Error));
  };
}

/** Sends the request and passes the answer back as it arrives. `pages` must begin to answer in time once it has the whole request. */
function exchange(
  request: Request,
  response: Response,
  { send, timeoutMs, idleMs }: { send: Send; timeoutMs: number; idleMs: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const hasBody = request.method === 'POST';
    // Anything but a POST can be repeated.
    let mayRetry = !hasBody;
    const end = () => {
      clearTimeout(timer);
      mayRetry = false;
      if (!response.writableFinished) current.outgoing?.destroy();
    };
    const fail = (error: Error) => {
      end();
      reject(Problem.unavailable(error));
    };
    const current: Exchange = {
      hasBody,
      onAnswer: (answer) => {
        clearTimeout(timer);
        mayRetry = false;
        answer.once('error', fail);
        answer.once('end', () => stopSending(request, current));
        relay(answer, response);
      },
      onFailure: (error) => {
        if (!mayRetry) return fail(error);
        mayRetry = false;
        send(request, response, current);
      },
    };
    response.once('close', () => {
      end();
      resolve();
    });
    const startTimer = () => {
      timer = setTimeout(() => fail(new Error('pages did not answer in time')), timeoutMs);
    };
    if (hasBody) {
      request.setTimeout(idleMs, () => request.destroy());
      request.once('end', () => {
        request.setTimeout(0);
        startTimer();
      });
    } else startTimer();
    send(request, response, current);
  });
}

/**
 * Reads and discards what is left of a request that was answered early. Once its answer has ended, Node no longer says when an outgoing request
 * can take more, so passing on the rest would never end, and the next request on the client's connection would wait behind it.
 */
function stopSending(request: Request, exchange: Exchange): void {
  const { outgoing } = exchange;
  if (request.complete || outgoing === undefined) return;
  exchange.onFailure = () => undefined;
  request.unpipe(outgoing);
  outgoing.destroy();
  request.resume();
}

function relay(answer: IncomingMessage, response: Response): void {
  response.statusCode = answer.statusCode ?? 500;
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !ownHeaders.has(name)) response.setHeader(name, value);
  // The work of `pipe`, with a third of its listeners.
  answer.on('data', (chunk) => {
    if (response.write(chunk)) return;
    answer.pause();
    response.once('drain', () => answer.resume());
  });
  answer.once('end', () => response.end());
}

/** A delivery must not submit to a form; otherwise webhooks could trigger each other forever. */
function refuseDeliveries({ method, headers }: Request): void {
  if (headers[hopName] === undefined || method !== 'POST') return;
  throw Problem.forbidden(`${hopHeader}: webhooks must not submit to forms. If you relay a webhook on purpose, remove this header.`);
}

const hopName = hopHeader.toLowerCase();
