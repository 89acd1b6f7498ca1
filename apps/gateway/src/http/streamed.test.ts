import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, get as httpGet, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Router } from 'express';
import { Problem, systemClock } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { eventually, testProcess } from '@sheaf/testing';
import { application } from '../application';
import type { Callers } from '../callers/callers';
import { route, type HandlerContext } from '../route';
import { Streamed } from './streamed';

let handle: (context: HandlerContext<unknown, unknown>) => Promise<unknown>;
const row = {
  id: 'getPart',
  summary: 'Get',
  description: 'Gets a part.',
  access: 'anyone',
  status: 200,
  errors: [400],
  handle: (context: HandlerContext<unknown, unknown>) => handle(context),
} as const;
const rows = [
  route({ ...row, method: 'get', path: '/download', stream: { 'text/plain': {} } }),
  route({ ...row, method: 'post', path: '/upload', upload: { 'application/octet-stream': {} } }),
  route({ ...row, method: 'post', path: '/work', endsWithClient: true }),
  route({ ...row, method: 'post', path: '/deed' }),
];
const callers = {
  instanceAt: () => Promise.resolve('instance'),
  respondent: () => ({ caller: { kind: 'respondent', instanceId: 'instance' }, tokenFor: () => 'token' }),
  gatewayToken: () => 'own',
} as unknown as Callers;

let server: Server;
let origin: string;
beforeAll(async () => {
  const settings = {
    ACCESS_LOG: true,
    PAGES_ADDR: 'localhost:1',
    REQUEST_TIMEOUT_MS: 300,
    STREAM_TIMEOUT_MS: 60_000,
    BODY_LIMIT_BYTES: 1_024,
    TRUSTED_PROXIES: [],
    HSTS_MAX_AGE_SECONDS: 0,
    REQUESTS_PER_ADDRESS_PER_MINUTE: 0,
    REQUESTS_PER_CREDENTIAL_PER_MINUTE: 0,
  };
  server = createServer(
    application(rows, { process: testProcess('gateway'), clock: systemClock, callers, settings, documentation: Router() }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

const download = (method = 'GET') => fetch(`${origin}/download`, { method, signal: AbortSignal.timeout(120_000) });
const answerWith = (chunks: AsyncIterable<Uint8Array>, filename?: string) => {
  handle = () => Promise.resolve(new Streamed({ contentType: 'text/plain; charset=utf-8', filename }, chunks));
};

async function* texts(...parts: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await delay(10);
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

/** A part, and a failure once the client has the beginning of the answer: before, the answer would be an error. */
function failingLater(part: string) {
  const failing = new EventEmitter();
  const failed = once(failing, 'now');
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(part);
    await failed;
    throw new Error('broken');
  }
  return { chunks: chunks(), fail: () => failing.emit('now') };
}

function endless(contentType = 'text/plain', make = () => Buffer.alloc(64 * 1024)) {
  const seen = { made: 0, isEnded: false, signal: undefined as AbortSignal | undefined };
  async function* chunks() {
    try {
      for (;;) {
        seen.made += 1;
        yield make();
        await delay(0);
      }
    } finally {
      seen.isEnded = true;
    }
  }
  handle = ({ streamCall }) => {
    seen.signal = streamCall.signal;
    return Promise.resolve(new Streamed({ contentType }, chunks()));
  };
  return seen;
}

it('sends a response chunk by chunk, under a name with any characters', async () => {
  answerWith(texts('one ', 'two'), 'Höhe "1".txt');
  const response = await download();
  expect(await response.text()).toBe('one two');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'transfer-encoding': 'chunked',
    'content-disposition': `attachment; filename="H?he \\"1\\".txt"; filename*=UTF-8''H%C3%B6he%20%221%22.txt`,
  });
  expect(response.headers.has('content-length')).toBe(false);
});

it('sends an empty body if there are no chunks, and for HEAD', async () => {
  answerWith(texts());
  expect(await (await download()).text()).toBe('');
  const seen = endless();
  expect((await download('HEAD')).headers.get('content-type')).toBe('text/plain');
  await eventually(() => expect(seen.isEnded).toBe(true));
});

it('sends an error before the first chunk as a normal error response', async () => {
  answerWith(texts(Problem.badRequest('format: must be known')), 'x.txt');
  const response = await download();
  expect(response).toMatchObject({ status: 400 });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.has('content-disposition')).toBe(false);
  expect(await response.json()).toEqual({ error: { code: 'bad_request', message: 'format: must be known' } });
});

it('answers 503 if the first chunk takes too long', async () => {
  answerWith(
    (async function* () {
      yield await new Promise<Uint8Array>(() => undefined);
    })(),
  );
  expect((await download()).status).toBe(503);
});

it('cuts the connection on a later failure, so that a partial response is not mistaken for a complete one', async () => {
  const { chunks, fail } = failingLater('one ');
  answerWith(chunks);
  const response = await download();
  expect(response.status).toBe(200);
  fail();
  await expect(response.text()).rejects.toThrow();
});

describe('streamed JSON', () => {
  const page = 'application/json; charset=utf-8';
  const answerWithJson = (chunks: AsyncIterable<Uint8Array>) => {
    handle = () => Promise.resolve(new Streamed({ contentType: page }, chunks));
  };
  const ask = (headers: Record<string, string>, method = 'GET') =>
    new Promise<{ response: IncomingMessage; body: Promise<Buffer> }>((resolve, reject) => {
      httpRequest(`${origin}/download`, { method, headers }, (response) => resolve({ response, body: buffer(response) }))
        .on('error', reject)
        .end();
    });
  const gzip = { 'accept-encoding': 'gzip' };

  it('is compressed for clients that accept gzip', async () => {
    answerWithJson(texts('["one",', '"two"]'));
    const { response, body } = await ask(gzip);
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'transfer-encoding': 'chunked' });
    expect(gunzipSync(await body).toString()).toBe('["one","two"]');
  });

  it.each([
    ['for clients that do not accept gzip', {}],
    ['for another site, which could guess the content from the length', { ...gzip, 'sec-fetch-site': 'cross-site' }],
  ])('is not compressed %s', async (_, headers) => {
    answerWithJson(texts('["one",', '"two"]'));
    const { response, body } = await ask(headers);
    expect(response.headers).toMatchObject({ vary: 'Accept-Encoding' });
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect((await body).toString()).toBe('["one","two"]');
  });

  it('cuts the connection when it fails later, even when compressed', async () => {
    const { chunks, fail } = failingLater('["one",');
    answerWithJson(chunks);
    const { body } = await ask(gzip);
    fail();
    await expect(body).rejects.toThrow();
  });

  it('is produced no faster than the client reads, even when compressed', async () => {
    const seen = endless(page, () => randomBytes(64 * 1024));
    const response = await new Promise<IncomingMessage>((resolve) => httpGet(`${origin}/download`, { headers: gzip }, resolve));
    response.pause();
    let before = -1;
    while (before !== seen.made) {
      before = seen.made;
      await delay(200);
    }
    expect(seen.made).toBeLessThan(400);
    response.destroy();
    await eventually(() => expect(seen.isEnded).toBe(true));
  });
});

it('leaves files as they are', async () => {
  answerWith(texts('one'), 'x.csv');
  const response = await fetch(`${origin}/download`, { headers: { 'accept-encoding': 'gzip' } });
  expect(response.headers.has('content-encoding')).toBe(false);
});

it('sends no faster than the client reads, and ends the stream when the client disconnects', async () => {
  const seen = endless();
  const response = await new Promise<IncomingMessage>((resolve) => httpGet(`${origin}/download`, resolve));
  response.pause();
  let before = -1;
  while (before !== seen.made) {
    before = seen.made;
    await delay(200);
  }
  expect(seen.made).toBeLessThan(400);
  expect(seen.isEnded).toBe(false);

  response.destroy();
  await eventually(() => expect(seen.isEnded).toBe(true));
  expect(seen.signal?.aborted).toBe(true);
});

it('cancels the call of a route that ends with its client when the client disconnects, and of no other', async () => {
  const calls = new EventEmitter();
  handle = ({ call }) => {
    calls.emit('call', call);
    return new Promise(() => undefined);
  };
  for (const [path, ends] of [
    ['/work', true],
    ['/deed', false],
  ] as const) {
    const called = once(calls, 'call') as Promise<[Call]>;
    const client = httpRequest(`${origin}${path}`, { method: 'POST' }).on('error', () => undefined);
    client.end();
    const [{ signal }] = await called;
    expect(signal?.aborted).toBe(ends ? false : undefined);
    client.destroy();
    await eventually(() => expect(signal?.aborted).toBe(ends ? true : undefined));
  }
});

it('passes on a request body of any type and size as it arrives', async () => {
  handle = async ({ request, body }) => {
    let bytes = 0;
    for await (const chunk of request) bytes += (chunk as Buffer).length;
    return { bytes, body: body ?? 'unread' };
  };
  const response = await fetch(`${origin}/upload`, {
    method: 'POST',
    body: Buffer.alloc(5_000_000),
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(await response.json()).toEqual({ bytes: 5_000_000, body: 'unread' });
});

it('sends an error for a request body that was never read', async () => {
  handle = () => Promise.reject(new Problem('payload_too_large', 'The file is too large.'));
  const response = await fetch(`${origin}/upload`, { method: 'POST', body: Buffer.alloc(5_000_000) });
  expect(response.status).toBe(413);
});
