import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@sheaf/kernel';
import { LRUCache } from 'lru-cache';

/** Common servers close idle connections after two seconds or more, and a request sent at that moment is lost. */
export const defaultIdleMs = 1_000;
// The limit for all origins together.
const maxIdle = 1_000;
// After a kept connection breaks, its origin gets only new connections for this time.
const distrustMs = 10 * 60_000;
const maxDistrusted = 10_000;

/**
 * Idle connections, kept for the next request with the same `host`. Here `host` is a key built from everything that must match for a
 * connection to be reused. If there is no match, the request opens a connection with its own `createConnection`. After a response,
 * `node:http` decides whether the connection can be kept. Idle connections do not keep the process alive.
 */
export class KeptConnections extends Agent {
  readonly idle = new Map<Duplex, { since: number; drop: () => void }>();
  private readonly distrusted = new LRUCache<string, number>({ max: maxDistrusted });

  constructor(
    private readonly clock: Clock,
    private readonly idleMs = defaultIdleMs,
  ) {
    // The most recently used connection would be better, but Node skips destroyed connections only at the front of its list.
    super({ keepAlive: true, timeout: idleMs, scheduling: 'fifo' });
  }

  trusts(origin: string): boolean {
    return this.now() >= (this.distrusted.get(origin) ?? 0);
  }

  distrust(origin: string): void {
    this.distrusted.set(origin, this.now() + distrustMs);
  }

  /** Closes connections that have been idle for too long. Their timers do so as well, but too late while this process is busy. */
  closeExpired(host: string): void {
    const oldest = this.now() - this.idleMs;
    for (const socket of this.freeSockets[host] ?? []) if ((this.idle.get(socket)?.since ?? 0) <= oldest) socket.destroy();
  }

  override getName({ host }: ClientRequestArgs = {}): string {
    return String(host);
  }

  override createConnection(options: ClientRequestArgs, done: (error: Error | null, socket: Duplex) => void): undefined {
    options.createConnection?.(options, (error, socket) => {
      const name = this.getName(options);
      // The agent has already created a list for this key, and would remove it only when a connection closes.
      if (error && this.sockets[name]?.length === 0) Reflect.deleteProperty(this.sockets, name);
      done(error, socket);
    });
  }

  override keepSocketAlive(socket: Duplex): boolean {
    if (this.idle.size >= maxIdle || (super.keepSocketAlive(socket) as unknown) === false) return false;
    // Anything that arrives now is either the end or unsolicited data, which would be taken for the response to the next request.
    const drop = () => {
      this.idle.delete(socket);
      socket.destroy();
    };
    this.idle.set(socket, { since: this.now(), drop });
    for (const event of ['data', 'end', 'close']) socket.once(event, drop);
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    const drop = this.idle.get(socket)?.drop;
    this.idle.delete(socket);
    if (drop) for (const event of ['data', 'end', 'close']) socket.off(event, drop);
    super.reuseSocket(socket, request);
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
