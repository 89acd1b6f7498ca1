import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionInjector, Server, ServerCredentials } from '@grpc/grpc-js';

/** The first byte of a TLS connection: a record of the type `handshake` (RFC 8446, 5.1). HTTP/2 without TLS begins with `P` (RFC 9113, 3.4). */
const tlsHandshake = 22;
/** How long a connection may stay silent before it is closed; a caller sends its first byte at once. */
const silentMs = 10_000;

/**
 * One port for callers with and without TLS, while a system changes over to it: the first byte of a connection tells which it is. A second port would
 * have to be in every address, policy and manifest.
 */
export class DoorForBoth {
  private readonly plain: ConnectionInjector;
  private readonly tls: ConnectionInjector;
  private readonly silent = new Set<Socket>();
  private readonly openPlain = new Set<Socket>();
  private readonly door = createServer((socket) => this.greet(socket));

  constructor(server: Server, credentials: Record<'plain' | 'tls', ServerCredentials>) {
    this.plain = server.createConnectionInjector(credentials.plain);
    this.tls = server.createConnectionInjector(credentials.tls);
  }

  get plainConnections(): number {
    return this.openPlain.size;
  }

  /** @returns the port that it listens on */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.door.once('error', reject);
      this.door.listen({ host, port }, () => resolve((this.door.address() as AddressInfo).port));
    });
  }

  /** Takes no new connections. The server closes those that it has. */
  close(): void {
    this.door.close();
    for (const socket of this.silent) socket.destroy();
  }

  private greet(socket: Socket): void {
    this.silent.add(socket);
    socket.once('close', () => this.silent.delete(socket));
    // A connection that breaks before its first byte concerns nobody; afterwards, the server handles its errors.
    const ignore = () => undefined;
    const giveUp = () => socket.destroy();
    socket.once('error', ignore);
    socket.setTimeout(silentMs, giveUp);
    const look = () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) {
        socket.once('readable', look);
        return;
      }
      socket.off('timeout', giveUp);
      socket.off('error', ignore);
      socket.setTimeout(0);
      this.silent.delete(socket);
      socket.unshift(first);
      if (first[0] === tlsHandshake) this.tls.injectConnection(socket);
      else this.admitPlain(socket);
    };
    look();
  }

  private admitPlain(socket: Socket): void {
    this.openPlain.add(socket);
    socket.once('close', () => this.openPlain.delete(socket));
    this.plain.injectConnection(socket);
  }
}
