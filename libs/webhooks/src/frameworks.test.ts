import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { created, Instance } from '../test/instance';
import type { Delivery, WebhookReceiver } from './receiver';

let instance: Instance;
let receiver: WebhookReceiver;
let handled: Delivery[];
let errors: unknown[];
let isBroken: boolean;
/** Hono's server replaces both in the whole process. */
const globals = Object.getOwnPropertyDescriptors(globalThis);
afterAll(() => Object.defineProperties(globalThis, { Request: globals.Request, Response: globals.Response }));

const handle = (delivery: Delivery): void => {
  if (isBroken) throw new Error('the database is down');
  handled.push(delivery);
};
beforeEach(() => {
  instance = new Instance();
  [handled, errors, isBroken] = [[], [], false];
  receiver = instance.receiver({ maxBodyBytes: 2_000, onError: (error) => errors.push(error) });
});

const closers: (() => unknown)[] = [];
afterEach(() => Promise.all(closers.splice(0).map((close) => close())));

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return addressOf(server);
}

const frameworks: Record<string, () => Promise<string>> = {
  'node:http': () => listening((request, response) => void receiver.listener(handle)(request, response)),

  Express: () => {
    const app = express();
    app.post('/webhooks', receiver.listener(handle));
    app.use(express.json());
    return listening((request, response) => void app(request, response));
  },

  'Express with express.raw()': () => {
    const app = express();
    app.post('/webhooks', express.raw({ type: 'application/json' }), receiver.listener(handle));
    return listening((request, response) => void app(request, response));
  },

  Fastify: async () => {
    const app = fastify();
    await app.register((scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request: unknown, body: Buffer) => Promise.resolve(body));
      scope.post('/webhooks', ({ headers, body }) => receiver.respond({ headers, body: body as Buffer }, handle));
      return Promise.resolve();
    });
    closers.push(() => app.close());
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/webhooks`;
  },

  Hono: async () => {
    const app = new Hono();
    app.post('/webhooks', (context) => receiver.respond(context.req.raw, handle));
    let server: Server | undefined;
    await new Promise<void>((resolve) => (server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve()) as Server));
    closers.push(() => server?.close());
    return server ? addressOf(server) : '';
  },
};

async function post(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<{ status: number; code?: string }> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  const text = await response.text();
  return { status: response.status, ...(text === '' ? {} : { code: (JSON.parse(text) as { error: { code: string } }).error.code }) };
}

describe.each(Object.entries(frameworks))('A receiver in %s', (_, start) => {
  it('handles a delivery once and acknowledges every attempt', async () => {
    const url = await start();
    expect([await post(url, instance.request()), await post(url, instance.request())]).toEqual([{ status: 204 }, { status: 204 }]);
    expect(handled).toEqual([expect.objectContaining({ id: 'd1', event: JSON.parse(created) as unknown })]);
  });

  it('refuses a forged request', async () => {
    const { headers } = instance.request();
    expect(await post(await start(), { headers, body: `${created} ` })).toEqual({ status: 401, code: 'signature_mismatch' });
    expect(handled).toEqual([]);
  });

  it('lets Sheaf retry after the handler failed', async () => {
    const url = await start();
    isBroken = true;
    expect(await post(url, instance.request())).toEqual({ status: 500, code: 'handler_failed' });
    isBroken = false;
    expect(await post(url, instance.request())).toEqual({ status: 204 });
    expect(handled).toHaveLength(1);
  });

  it('refuses a body that is too large', async () => {
    const body = JSON.stringify({ event: 'submission.created', data: 'a'.repeat(2_000) });
    expect(await post(await start(), instance.request({ body }))).toEqual({ status: 413, code: 'body_too_large' });
  });
});

describe('A listener', () => {
  it('reports that the body was already parsed', async () => {
    const app = express();
    app.use(express.json());
    app.post('/webhooks', receiver.listener(handle));
    const url = await listening((request, response) => void app(request, response));
    expect(await post(url, instance.request())).toEqual({ status: 500, code: 'body_not_raw' });
    expect(errors).toEqual([expect.objectContaining({ code: 'body_not_raw' })]);
  });

  it('answers as soon as a body is too large, even if it never ends', async () => {
    const url = await listening((request, response) => void receiver.listener(handle)(request, response));
    const status = await new Promise((resolve, reject) => {
      const endless = httpRequest(url, { method: 'POST', headers: instance.headers() });
      endless.on('response', (response) => resolve(response.statusCode));
      endless.on('error', reject);
      endless.write('a'.repeat(3_000));
    });
    expect(status).toBe(413);
  });

  it('survives a sender that breaks off', async () => {
    const url = await listening((request, response) => void receiver.listener(handle)(request, response));
    await new Promise((resolve) => {
      const broken = httpRequest(url, { method: 'POST', headers: { ...instance.headers(), 'content-length': '1000' } });
      broken.on('error', resolve);
      broken.write('{', () => setImmediate(() => broken.destroy(new Error('broken off'))));
    });
    expect(await post(url, instance.request())).toEqual({ status: 204 });
  });
});
