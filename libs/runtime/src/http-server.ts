import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Process } from './process';

/**
 * Express replaces the prototype of every request and response. On Node 20 that takes as long as the rest of Express, so these classes have
 * the application's prototypes from the start. On Node 24 it makes no difference.
 */
export function classesOf({ request, response }: { request: IncomingMessage; response: ServerResponse }): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  function Incoming(this: IncomingMessage, ...args: unknown[]): void {
    Reflect.apply(IncomingMessage, this, args);
  }
  function Outgoing(this: ServerResponse, ...args: unknown[]): void {
    Reflect.apply(ServerResponse, this, args);
  }
  // V8 follows this chain to count the properties that constructors set, and reserves space for them. Without it, V8 would turn each
  // response into a hash table.
  Object.setPrototypeOf(Incoming, IncomingMessage);
  Object.setPrototypeOf(Outgoing, ServerResponse);
  Incoming.prototype = request;
  Outgoing.prototype = response;
  return { IncomingMessage: Incoming as unknown as typeof IncomingMessage, ServerResponse: Outgoing as unknown as typeof ServerResponse };
}

/**
 * Serves HTTP until the process stops.
 * @param closeNoticeMs how long an idle connection stays open during shutdown, so that its next response can still announce that it closes
 */
export async function listenUntilStop(
  process: Process,
  server: Server,
  { port, host, closeNoticeMs }: { port: number; host: string; closeNoticeMs: number },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  process.onStop('http', () => close(server, closeNoticeMs));
}

/**
 * Lets requests in progress finish. An idle connection is not closed immediately: its next request may already be on the way, and a client
 * cannot know whether an unanswered request took effect. Every response now carries `Connection: close`, and only connections that stay
 * idle for `closeNoticeMs` are closed.
 */
async function close(server: Server, closeNoticeMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const until = Date.now() + closeNoticeMs;
  while (Date.now() < until && (await connectionsOf(server)) > 0) await sleep(lookMs);
  // Responses that were in progress did not announce the end, so their connections become idle once more.
  const idle = setInterval(() => server.closeIdleConnections(), lookMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(idle);
}

const lookMs = 50;

/**
 * How long to keep reading the rest of a request after an early response. Otherwise, a client that sends its whole request before it reads
 * would see a broken connection instead of the response.
 */
const lingerMs = 5_000;

/** Reads and discards the rest of a request that was answered early, for a limited time. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const late = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMs).unref();
  request.once('close', () => clearTimeout(late));
}

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))();
