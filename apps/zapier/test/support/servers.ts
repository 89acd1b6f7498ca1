import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Running {
  url: string;
  close(): Promise<void>;
}

async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export interface Received {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface Answer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Route = Answer | ((request: Received) => Answer);

/** A server that answers as told, by method and path, and remembers the requests. Others get the 404 of the API. */
export class ScriptedServer {
  readonly received: Received[] = [];
  private running: Running | undefined;

  constructor(public routes: Record<string, Route>) {}

  get url(): string {
    return this.running?.url ?? '';
  }

  async start(): Promise<this> {
    this.running = await listen((request, response) => void this.answer(request, response));
    return this;
  }

  async close(): Promise<void> {
    await this.running?.close();
  }

  /** The methods and paths of the requests, in order. */
  get calls(): string[] {
    return this.received.map(({ method, path }) => `${method} ${path}`);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const content = (await read(request)).toString();
    const received = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: request.headers['content-type']?.includes('json') ? (JSON.parse(content) as unknown) : content,
    };
    this.received.push(received);
    const route = this.routes[`${received.method} ${pathname}`] ?? refusal(404, 'not_found', 'There is no such thing.');
    const { status = 200, body, headers } = typeof route === 'function' ? route(received) : route;
    const isBytes = Buffer.isBuffer(body);
    response.writeHead(status, { ...(isBytes || body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(isBytes || body === undefined ? body : JSON.stringify(body));
  }
}

export const refusal = (status: number, code: string, message: string): Answer => ({ status, body: { error: { code, message } } });

export interface HookReceiver extends Running {
  /** Resolves with the bodies of that many POSTs, once they have arrived. */
  arrived(count: number): Promise<unknown[]>;
}

/** Takes webhooks as Zapier does: it answers, and keeps their bodies. */
export async function hookReceiver(): Promise<HookReceiver> {
  const bodies: unknown[] = [];
  const waiting: (() => void)[] = [];
  const running = await listen((request, response) => void take(request, response));

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    bodies.push(JSON.parse((await read(request)).toString()));
    response.end();
    for (const resolve of waiting.splice(0)) resolve();
  }
  return {
    ...running,
    arrived: async (count) => {
      while (bodies.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return bodies;
    },
  };
}
