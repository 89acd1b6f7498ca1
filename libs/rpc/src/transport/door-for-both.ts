import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionInjector, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';

/** The first byte of a TLS connection: a record of the type `handshake` (RFC 8446, 5.1). HTTP without TLS begins with a letter. */
const tlsHandshake = 22;
/** How long a connection may stay silent before it is closed; a caller sends its first byte at once. */
export const silentMs = 10_000;

/** New connections, of which the first byte tells whether they speak TLS. */
export class Greeter {
  private readonly silent = new Set<Socket>();

  constructor(private readonly admit: Record<'plain' | 'tls', (socket: Socket) => void>) {}

  greet(socket: Socket): void {
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
      this.admit[first[0] === tlsHandshake ? 'tls' : 'plain'](socket);
    };
    look();
  }

  /** Nothing is lost with a connection that has said nothing yet. */
  close(): void {
    for (const socket of this.silent) socket.destroy();
  }
}

/** Says that a process answers callers without TLS, and how many there are: nobody should forget the last step. */
export function tellOfPlainConnections(process: Process, count: () => number): void {
  const warning = 'calls without TLS are answered as well, until GRPC_TLS is require';
  process.log.warn(warning);
  process.health.warn(() => warning);
  new Gauge({
    name: 'sheaf_grpc_plaintext_connections',
    help: 'Open connections without TLS to a process that answers these until its system has changed over to TLS.',
    registers: [process.metrics],
    collect() {
      this.set(count());
    },
  });
}

/**
 * One port for callers with and without TLS, while a system changes over to it: the first byte of a connection tells which it is. A second port would
 * have to be in every address, policy and manifest.
 */
export class DoorForBoth {
  private readonly plain: ConnectionInjector;
  private readonly tls: ConnectionInjector;
  private readonly openPlain = new Set<Socket>();
  private readonly greeter = new Greeter({
    plain: (socket) => this.admitPlain(socket),
    tls: (socket) => this.tls.injectConnection(socket),
  });
  private readonly door = createServer((socket) => this.greeter.greet(socket));

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
    this.greeter.close();
  }

  private admitPlain(socket: Socket): void {
    this.openPlain.add(socket);
    socket.once('close', () => this.openPlain.delete(socket));
    this.plain.injectConnection(socket);
  }
}
