import { Agent, type ClientRequest, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@sheaf/kernel';
import { LRUCache } from 'lru-cache';

/** Common servers end idle connections after two seconds or more, and a request that is sent in that moment is lost. */
export const usualIdleMs = 1_000;
// To all origins together.
const mostIdle = 1_000;
// How long an origin is not trusted with kept connections after one has broken.
const distrustMs = 10 * 60_000;
const mostDistrusted = 10_000;

/**
 * Connections that wait for the next request with the same `host`, which is no host here, but names all that has to be equal. A request
 * that finds none makes one by its own `createConnection`. `node:http` decides after an answer whether its connection can be kept. Those that wait
 * do not keep the process alive.
 */
export class Kept extends Agent {
  readonly idle = new Map<Duplex, { since: number; drop: () => void }>();
  private readonly distrusted = new LRUCache<string, number>({ max: mostDistrusted });

  constructor(
    private readonly clock: Clock,
    private readonly idleMs = usualIdleMs,
  ) {
    // The one that was used last would be the better one, but Node passes over those that are destroyed at the front of the row only.
    super({ keepAlive: true, timeout: idleMs, scheduling: 'fifo' });
  }

  trusts(origin: string): boolean {
    return this.now() >= (this.distrusted.get(origin) ?? 0);
  }

  distrust(origin: string): void {
    this.distrusted.set(origin, this.now() + distrustMs);
  }

  /** Ends those that nobody may take any more. Their timers do that as well, but not in time when this process is busy. */
  dropOld(host: string): void {
    const oldest = this.now() - this.idleMs;
    for (const socket of this.freeSockets[host] ?? []) if ((this.idle.get(socket)?.since ?? 0) <= oldest) socket.destroy();
  }

  override getName({ host }: ClientRequestArgs = {}): string {
    return String(host);
  }

  override createConnection(options: ClientRequestArgs, done: (error: Error | null, socket: Duplex) => void): undefined {
    options.createConnection?.(options, (error, socket) => {
      const name = this.getName(options);
      // The agent has made a row for the connection, and forgets it only when it sees one close.
      if (error && this.sockets[name]?.length === 0) Reflect.deleteProperty(this.sockets, name);
      done(error, socket);
    });
  }

  override keepSocketAlive(socket: Duplex): boolean {
    if (this.idle.size >= mostIdle || (super.keepSocketAlive(socket) as unknown) === false) return false;
    // Whatever comes now is the end, or an answer to nothing that would be taken for the one to the next request.
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
