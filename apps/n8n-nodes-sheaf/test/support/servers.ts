import type { Request, Response } from 'express';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IWebhookResponseData } from 'n8n-workflow';
import type { Trigger } from './n8n';

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
      body: content === '' ? undefined : (JSON.parse(content) as unknown),
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

export interface WebhookServer extends Running {
  /** The trigger's result for each request, with the status of the response. */
  readonly outcomes: { data: IWebhookResponseData; status: number }[];
  /** Resolves as soon as there are that many. */
  arrived(count: number): Promise<void>;
}

/** Takes webhooks for a trigger as n8n's server does: reads the raw body, and answers unless the node did. */
export async function webhookServer(trigger: () => Trigger): Promise<WebhookServer> {
  const outcomes: WebhookServer['outcomes'] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const running = await listen((incoming, outgoing) => void take(incoming, outgoing));

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const rawBody = await read(incoming);
    const request = Object.assign(incoming, { rawBody, body: JSON.parse(rawBody.toString()) as unknown }) as unknown as Request;
    const response = Object.assign(outgoing, {
      status: (code: number) => Object.assign(outgoing, { statusCode: code }),
      json: (body: unknown) => outgoing.end(JSON.stringify(body)),
    }) as unknown as Response;
    const data = await trigger()
      .receive(request, response)
      .catch(() => undefined);
    if (!outgoing.writableEnded) outgoing.writeHead(data ? 200 : 500).end();
    outcomes.push({ data: data ?? {}, status: outgoing.statusCode });
    for (const { resolve } of waiting.filter(({ count }) => count <= outcomes.length)) resolve();
    waiting = waiting.filter(({ count }) => count > outcomes.length);
  }

  return {
    ...running,
    outcomes,
    arrived: (count) => (count <= outcomes.length ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve }))),
  };
}
