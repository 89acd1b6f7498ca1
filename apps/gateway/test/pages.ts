import { createServer, request as send, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem, systemClock } from '@sheaf/kernel';
import { testProcess } from '@sheaf/testing';
import { Router } from 'express';
import { application } from '../src/application';
import type { Callers } from '../src/callers/callers';

/** A server in the place of `pages`, which each test lets answer, and the gateway in front of it. */
export const behind: { answer: RequestListener; seen: IncomingMessage[]; connections: number; port: number } = {
  answer: (_request, response) => response.end('hello'),
  seen: [],
  connections: 0,
  /** The gateway's. */
  port: 0,
};

export const callers = {
  instanceAt: (host: string) => (host === 'nobody.example' ? Promise.reject(Problem.notFound('instance')) : Promise.resolve(`of-${host}`)),
  respondent: (instanceId: string) => ({ tokenFor: (app: string) => `${instanceId} at ${app}` }),
} as unknown as Callers;

export const settings = {
  ACCESS_LOG: true,
  PAGES_ADDR: '',
  // Longer than a busy machine pauses.
  REQUEST_TIMEOUT_MS: 8_000,
  STREAM_TIMEOUT_MS: 60_000,
  BODY_LIMIT_BYTES: 1_024,
  TRUSTED_PROXIES: ['loopback'],
  HSTS_MAX_AGE_SECONDS: 100,
  REQUESTS_PER_ADDRESS_PER_MINUTE: 3,
  REQUESTS_PER_CREDENTIAL_PER_MINUTE: 0,
};

export const portOf = (server: Server) => (server.address() as AddressInfo).port;
export const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
export const close = (server: Server) => new Promise((resolve) => server.close(resolve).closeAllConnections());

export const gatewayWith = (changed: Partial<typeof settings>): Server =>
  createServer(
    application([], {
      process: testProcess('gateway'),
      clock: systemClock,
      callers,
      settings: { ...settings, ...changed },
      documentation: Router(),
    }),
  );

/** Runs both during the tests of a file. */
export function usePages(): void {
  const pages = createServer((request, response) => {
    behind.seen.push(request);
    behind.answer(request, response);
  });
  pages.on('connection', () => behind.connections++);
  let gateway: Server;
  beforeAll(async () => {
    await listen(pages);
    settings.PAGES_ADDR = `127.0.0.1:${portOf(pages)}`;
    gateway = gatewayWith({});
    await listen(gateway);
    behind.port = portOf(gateway);
  });
  beforeEach(() => {
    behind.seen.length = 0;
    behind.answer = (_request, response) => response.end('hello');
  });
  afterAll(async () => {
    for (const server of [gateway, pages]) await close(server);
  });
}

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

export const ask = (
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  port = behind.port,
) =>
  new Promise<Reply>((resolve, reject) => {
    const outgoing = send({ port, path, method, headers, signal: AbortSignal.timeout(120_000) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

export const failure = (message: string, code = 'internal_error') => ({ error: { code, message } });
