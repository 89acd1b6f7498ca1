import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { Broker, brokerSettings, brokerVersion } from '@sheaf/events';
import { Problem, systemClock } from '@sheaf/kernel';
import { callerSigner, neighboursOf } from '@sheaf/rpc';
import { classesOf, jsonCommand, listenUntilStop, ownVersions, asApp, type Log, type Process } from '@sheaf/runtime';
import { z } from 'zod';
import { application } from './application';
import { Callers } from './callers/callers';
import { Config } from './config';
import { documentation } from './openapi/documentation';
import { eventIds } from './event-streams/event-ids';
import { EventStreams } from './event-streams/event-streams';
import { errorBody } from './http/reply';
import { mcp } from './mcp/mcp';
import { routes } from './routes';

/** Prints the version of the app, and of NATS if its address is set. */
const versionCommand = jsonCommand({
  config: z.object({ NATS_URL: brokerSettings.NATS_URL.optional(), NATS_CA_FILE: brokerSettings.NATS_CA_FILE }),
  options: z.object({}),
  run: async ({ config: { NATS_URL, ...config } }) => ({
    ...ownVersions('gateway'),
    ...(NATS_URL === undefined ? {} : { nats: await brokerVersion({ ...config, NATS_URL }) }),
  }),
});

export const app = asApp({
  name: 'gateway',
  config: Config,
  serve: start,
  commands: { version: versionCommand },
});

async function start(process: Process, config: Config): Promise<void> {
  const broker = Broker.start(process, config);
  const { delivery: deliveries, ...others } = neighboursOf(process, 'gateway', config);
  const services = { ...others, deliveries };
  const callers = new Callers(services.workspaces, callerSigner(config.CALLER_KEY), broker, { staleMs: config.STALE_HOSTS_MS });
  const eventStreams = new EventStreams(process, broker, services.forms, systemClock, eventIds(config.CALLER_KEY.d));
  const rows = routes(services, eventStreams);

  const agents = mcp(rows, { secret: config.CALLER_KEY.d, clock: systemClock, log: process.log });
  const app = application([...rows, agents], {
    process,
    clock: systemClock,
    callers,
    settings: config,
    documentation: documentation(rows, join(__dirname, 'docs')),
  });
  const server = createServer({ requireHostHeader: false, ...classesOf(app) }, app);
  server.keepAliveTimeout = config.IDLE_CONNECTION_MS;
  // A file may take as long as a stream. Stalled requests are cut off much earlier: see input.ts, application.ts and upload.ts.
  server.requestTimeout = config.STREAM_TIMEOUT_MS;
  server.headersTimeout = Math.min(30_000, config.STREAM_TIMEOUT_MS);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => answerUnreadable(process.log, error, socket));
  server.on('connect', (_request, socket: Duplex) => refuse(process.log, socket, 'This server is not a proxy.'));
  // Node would answer an unknown expectation with 417, which the contract does not have. HTTP allows ignoring the expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await listenUntilStop(process, server, { port: config.PORT, host: config.BIND_HOST, closeNoticeMs: 1_000 });
  // Before the server, which waits for all responses to end.
  process.onStop('event streams', () => eventStreams.stop());
}

/** Requests that are not valid HTTP, or have headers that are too large, also get the common error shape and an id. */
function answerUnreadable(log: Log, error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  refuse(log, socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'The headers are too large.' : 'The request is not valid HTTP.');
}

function refuse(log: Log, socket: Duplex, message: string): void {
  const requestId = randomUUID();
  log.info({ requestId, status: 400, reason: message }, 'request');
  const text = JSON.stringify(errorBody(Problem.badRequest(message)).body);
  const headers = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${text}`);
}
