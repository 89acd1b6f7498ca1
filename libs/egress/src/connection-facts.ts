import { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { harmless } from './excerpt';

/** The TLS of a connection. All of it is text of the other side, but without characters that control anything. */
export interface TlsFacts {
  /** `TLSv1.3`. */
  protocol?: string;
  /** The issuer that the certificate names. */
  issuer?: string;
  /** When the certificate ends, ISO 8601. */
  expiresAt?: string;
}

/** How a POST got its connection, and how long each step took that was finished, in whole milliseconds. */
export interface ConnectionFacts {
  /** Whether an earlier POST opened the connection: then nothing was connected. */
  isReused: boolean;
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  /** From the connection to the head of the answer. */
  firstByteMs?: number;
  tls?: TlsFacts;
}

const longestIssuer = 200;
const known = new WeakMap<Socket, TlsFacts>();

/** The TLS of an open connection. A kept one is asked once. */
export function tlsOf(socket: Socket): TlsFacts | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const facts = known.get(socket) ?? readTls(socket);
  known.set(socket, facts);
  return facts;
}

function readTls(socket: TLSSocket): TlsFacts {
  const protocol = socket.getProtocol();
  // Undefined once the connection has ended, as Node does not say.
  const { issuer, valid_to: validTo = '' } =
    (socket.getPeerCertificate() as Partial<ReturnType<TLSSocket['getPeerCertificate']>> | undefined) ?? {};
  const name = issuer?.O ?? issuer?.CN;
  const expires = Date.parse(validTo);
  return {
    ...(protocol === null ? {} : { protocol }),
    ...(name === undefined ? {} : { issuer: harmless(String(name).slice(0, longestIssuer)) }),
    ...(Number.isNaN(expires) ? {} : { expiresAt: new Date(expires).toISOString() }),
  };
}
