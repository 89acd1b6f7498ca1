import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hangMs } from './eventually';

/** A request to a subscriber, byte for byte. */
export interface Received {
  at: number;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The subscriber's answer: a status, or none at all. */
export type Reply = number | 'hang' | { status: number; headers?: Record<string, string>; body?: string };

export interface Subscriber {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the answer to all further requests; the default is 200. */
  answer(reply: Reply | ((request: Received) => Reply)): void;
  /** Closes the connections of all hanging requests without an answer. */
  hangUp(): void;
  /** Resolves with all received requests once `count` of them match; rejects after `withinMs`. */
  waitFor(count: number, matching?: (request: Received) => boolean, withinMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A real HTTP server for webhooks on a free loopback port. */
export async function startSubscriber(): Promise<Subscriber> {
  const received: Received[] = [];
  const watchers = new Set<() => void>();
  const hanging: Socket[] = [];
  let decide: (request: Received) => Reply = () => 200;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry = { at: Date.now(), path: request.url ?? '/', headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(entry);
      const reply = decide(entry);
      if (typeof reply === 'number') response.writeHead(reply).end();
      else if (reply === 'hang') hanging.push(request.socket);
      else response.writeHead(reply.status, reply.headers).end(reply.body);
      watchers.forEach((look) => look());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (reply) => (decide = typeof reply === 'function' ? reply : () => reply),
    hangUp: () => hanging.splice(0).forEach((socket) => socket.destroy()),
    waitFor: (count, matching = () => true, withinMs = hangMs) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(late);
          watchers.delete(look);
        };
        const look = () => {
          const matches = received.filter(matching);
          if (matches.length < count) return;
          stop();
          resolve(matches);
        };
        const late = setTimeout(() => {
          stop();
          reject(
            new Error(
              `${count} webhooks were expected within ${withinMs} ms, ${received.filter(matching).length} of ${received.length} matched`,
            ),
          );
        }, withinMs);
        watchers.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
