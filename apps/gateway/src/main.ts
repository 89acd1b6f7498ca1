import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Broker, brokerSettings, brokerVersion } from '@sheaf/events';
import { Problem, systemClock } from '@sheaf/kernel';
import { callerSigner, connect, Deliveries, Forms, Hooks, Submissions, Workspaces, type Protocol } from '@sheaf/rpc';
import { answering, ownVersions, runApp, type Process } from '@sheaf/runtime';
import type { Express } from 'express';
import { z } from 'zod';
import { application } from './application';
import { Callers } from './callers';
import { Config } from './config';
import { documentation } from './documentation';
import { errorBody } from './reply';
import { routes } from './routes';

/** `version`: of the app, and of NATS where its address is set. */
const versionCommand = answering({
  config: z.object({ NATS_URL: brokerSettings.NATS_URL.optional(), NATS_CA_FILE: brokerSettings.NATS_CA_FILE }),
  options: z.object({}),
  run: async ({ config: { NATS_URL, ...config } }) => ({ ...ownVersions('gateway'), ...(NATS_URL === undefined ? {} : { nats: await brokerVersion({ ...config, NATS_URL }) }) }),
});

void runApp('gateway', { config: Config, serve: start }, { version: versionCommand });

async function start(own: Process, config: Config): Promise<void> {
  const broker = Broker.start(own, config);
  const to = <D>(address: string, protocol: Protocol<D>) => {
    const connection = connect(address, protocol, own);
    own.onStop(protocol.name, () => connection.close());
    return connection.client;
  };
  const services = {
    workspaces: to(config.WORKSPACES_ADDR, Workspaces),
    forms: to(config.FORMS_ADDR, Forms),
    submissions: to(config.SUBMISSIONS_ADDR, Submissions),
    hooks: to(config.HOOKS_ADDR, Hooks),
    deliveries: to(config.DELIVERY_ADDR, Deliveries),
  };
  const callers = new Callers(services.workspaces, callerSigner(config.CALLER_KEY), broker, { staleMs: config.STALE_HOSTS_MS });
  const rows = routes(services);

  const app = application(rows, { own, clock: systemClock, callers, settings: config, pages: documentation(rows, join(__dirname, 'docs')) });
  const server = createServer({ requireHostHeader: false, ...classesOf(app) }, app);
  // Longer than what proxies keep an idle connection for, so that they never send into one that we are closing.
  server.keepAliveTimeout = 75_000;
  // A file may take as long as a stream does; what is slow for no reason is cut off long before: see application.ts and upload.ts.
  server.requestTimeout = config.STREAM_TIMEOUT_MS;
  server.headersTimeout = Math.min(30_000, config.STREAM_TIMEOUT_MS);
  server.on('clientError', answerUnreadable);
  server.on('connect', (_request, socket: Duplex) => refuse(socket, 'This server is not a proxy.'));
  // Node would refuse an expectation that it does not know with a status of its own; we may as well not meet it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.BIND_HOST, resolve);
  });
  own.onStop('http', () => close(server));
}

/**
 * Express gives each request and response a prototype of its own when they come in. On Node 20 that alone takes as long as all else that it
 * does; here they have it from the start. Node 24 is as fast without.
 */
function classesOf({ request, response }: Express): { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } {
  function Incoming(this: IncomingMessage, ...given: unknown[]): void {
    Reflect.apply(IncomingMessage, this, given);
  }
  function Outgoing(this: ServerResponse, ...given: unknown[]): void {
    Reflect.apply(ServerResponse, this, given);
  }
  // V8 keeps room for the properties that a constructor sets, and looks for those along this chain. Without it a response becomes a hash table.
  Object.setPrototypeOf(Incoming, IncomingMessage);
  Object.setPrototypeOf(Outgoing, ServerResponse);
  Incoming.prototype = request;
  Outgoing.prototype = response;
  return { IncomingMessage: Incoming as unknown as typeof IncomingMessage, ServerResponse: Outgoing as unknown as typeof ServerResponse };
}

/** A request that is not HTTP, or whose headers are too large, gets an answer in our shape and with an id as well. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  refuse(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'The headers are too large.' : 'The request cannot be read.');
}

function refuse(socket: Duplex, message: string): void {
  const text = JSON.stringify(errorBody(Problem.badRequest(message)).body);
  const headers = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${text}`);
}

/** How long a client has to hear, in its next answer, that its connection ends. */
const farewellMs = 1_000;

/**
 * Lets requests under way finish. A connection that waits for a next request is not closed at once: that request may be on its way, and
 * no client can tell whether one without an answer was done. Each answer says that it is its connection's last, and only those that
 * bring nothing for a while are closed.
 */
async function close(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const until = Date.now() + farewellMs;
  while (Date.now() < until && (await connectionsOf(server)) > 0) await sleep(50);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

const connectionsOf = (server: Server) => promisify(server.getConnections.bind(server))();
