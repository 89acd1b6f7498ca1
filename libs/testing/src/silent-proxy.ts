import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A TCP proxy that can fall silent, like a firewall that has lost its state: every connection stays open, but no data passes.
 */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private readonly silenced = new WeakSet<Socket>();
  private isSilent = false;
  /** How many connections have been opened in total. */
  accepted = 0;

  private constructor(private readonly target: { host: string; port: number }) {}

  static async before(url: string): Promise<{ proxy: SilentProxy; url: string; close: () => Promise<void> }> {
    const through = new URL(url);
    const proxy = new SilentProxy({ host: through.hostname, port: Number(through.port) });
    const server = createServer((client) => proxy.pass(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const close = async () => {
      for (const socket of proxy.sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    };
    return { proxy, url: through.href, close };
  }

  /** Silences all existing connections. */
  silenceOpen(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      this.silenced.add(socket);
    }
  }

  /** Silences new connections as well. */
  silenceAll(): void {
    this.isSilent = true;
    this.silenceOpen();
  }

  /** Lets new connections work again. */
  recover(): void {
    this.isSilent = false;
  }

  private pass(client: Socket): void {
    this.accepted += 1;
    const server = connect(this.target);
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
    }
    if (this.isSilent) {
      client.resume();
      return;
    }
    client.pipe(server).pipe(client);
    const ends = (one: Socket, other: Socket) => one.on('close', () => this.silenced.has(one) || other.destroy());
    ends(client, server);
    ends(server, client);
  }
}
