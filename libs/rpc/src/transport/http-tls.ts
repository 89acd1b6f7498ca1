import { X509Certificate } from 'node:crypto';
import { Agent, createServer, type AgentOptions, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { Agent as TlsAgent, createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { App } from '@sheaf/kernel';
import type { Process } from '@sheaf/runtime';
import { certificatesOf, isFor, tlsOf, type TlsSettings } from './certificates';
import { Greeter, silentMs, tellOfPlainConnections } from './door-for-both';

// HTTP between two processes, with the certificates that they have for calls.

/** A server that answers one app alone if the process has certificates, and everybody if it has none. Like calls, it takes the steps to TLS on one port. */
export function httpServerFor(
  caller: App,
  process: Process,
  { settings, options, listener }: { settings: TlsSettings; options: ServerOptions; listener: RequestListener },
): Server {
  const tls = tlsOf(process, settings);
  if (tls === undefined) return createServer(options, listener);
  const server = createTlsServer({ ...options, requestCert: true, rejectUnauthorized: true, handshakeTimeout: silentMs }, listener);
  tls.certificates.follow((these) => server.setSecureContext(these));
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const certificate = socket.getPeerX509Certificate();
    if (certificate === undefined || !isFor(certificate, caller)) socket.destroy();
  });
  return tls.acceptsPlain ? answeringBoth(server, process) : server;
}

/** Gives connections without TLS to the parser of HTTP, past the handshake. */
function answeringBoth(server: Server, process: Process): Server {
  const [shakeHands] = server.listeners('connection') as ((socket: Socket) => void)[];
  const [, parse] = server.listeners('secureConnection') as ((socket: Socket) => void)[];
  if (!shakeHands || !parse) throw new Error('A server of node:https has listeners for its connections.');
  const open = new Set<Socket>();
  const greeter = new Greeter({
    plain: (socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      parse.call(server, socket);
    },
    tls: (socket) => shakeHands.call(server, socket),
  });
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => greeter.greet(socket));
  tellOfPlainConnections(process, () => open.size);
  // Those that have said nothing yet are idle too, of which the server knows nothing.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    greeter.close();
    closeIdle();
  };
  return server;
}

/** How an app's server is asked. */
export interface HttpConnections {
  agent: Agent;
  protocol: 'http:' | 'https:';
}

/** The connections to an app's server: with TLS if the process calls services with it, and then to that app alone, whatever address led to it. */
export function httpAgentFor(app: App, process: Process, settings: TlsSettings, options: AgentOptions): HttpConnections {
  const certificates = certificatesOf(process, settings);
  if (certificates === undefined) return { agent: new Agent(options), protocol: 'http:' };
  const agent = new TlsAgent({
    ...options,
    servername: app,
    checkServerIdentity: (_host, { raw }) =>
      isFor(new X509Certificate(raw), app) ? undefined : new Error(`The certificate is not for ${app}.`),
    // Whom to trust may change; a resumed session would not ask again.
    maxCachedSessions: 0,
  });
  // For new connections. Those that are open end soon: they serve a bounded number of requests, and none that is idle stays for long.
  certificates.follow((these) => Object.assign(agent.options, these));
  return { agent, protocol: 'https:' };
}
