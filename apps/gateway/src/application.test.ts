import { once } from 'node:events';
import { createServer, request as send, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Router } from 'express';
import { Problem } from '@sheaf/kernel';
import { TestClock, testProcess } from '@sheaf/testing';
import { z } from 'zod';
import { application } from './application';
import type { Callers } from './callers';
import { route } from './route';

const clock = new TestClock();
const text = 'answers '.repeat(10_000);
const anything = z.object({ name: z.string().optional() });
const rows = [
  route({
    method: 'get',
    path: '/public/v1/forms/:form',
    summary: 'Get',
    access: 'anyone',
    status: 200,
    errors: [],
    handle: ({ params }) => Promise.resolve({ form: params.form }),
  }),
  route({
    method: 'post',
    path: '/public/v1/forms/:form',
    summary: 'Post',
    access: 'anyone',
    body: anything,
    status: 201,
    errors: [],
    handle: ({ body }) => Promise.resolve(body),
  }),
  route({
    method: 'post',
    path: '/public/v1/files',
    summary: 'Upload',
    access: 'anyone',
    upload: { '*/*': {} },
    status: 201,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/.well-known/keys.json',
    summary: 'Keys',
    access: 'anyone',
    status: 200,
    errors: [],
    cacheSeconds: 60,
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/api/v1/small',
    summary: 'Small',
    access: 'person',
    status: 200,
    errors: [],
    handle: () => Promise.resolve({ text: 'short' }),
  }),
  route({
    method: 'get',
    path: '/api/v1/large',
    summary: 'Large',
    access: 'person',
    status: 200,
    errors: [],
    handle: () => Promise.resolve({ text }),
  }),
  route({
    method: 'post',
    path: '/api/v1/large',
    summary: 'Make',
    access: 'person',
    body: anything,
    status: 200,
    errors: [],
    handle: () => Promise.resolve({ text }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/small',
    summary: 'Delete',
    access: 'person',
    status: 204,
    errors: [],
    handle: () => Promise.resolve(undefined),
  }),
  route({
    method: 'get',
    path: '/app/v1/list',
    summary: 'List',
    access: 'person',
    query: anything,
    status: 200,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/app/v1/plain',
    summary: 'Plain',
    access: 'person',
    status: 200,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
];

const seen: string[] = [];
const user = (id: string) => ({
  caller: { kind: 'user', id, instanceId: 'i', credentialId: id, via: 'session', roles: {} },
  tokenFor: () => 'token',
});
const callers = {
  instanceAt: (host: string) => {
    seen.push(host);
    return Promise.resolve('instance');
  },
  respondent: () => ({ caller: { kind: 'respondent', instanceId: 'instance' }, tokenFor: () => 'token' }),
  byHeader: (_: string, authorization = '') =>
    authorization === '' ? Promise.reject(new Problem('authentication_required', 'No credential.')) : Promise.resolve(user(authorization)),
  byCredential: (_: string, credential: string) => Promise.resolve(user(credential)),
  gatewayToken: () => 'own',
} as unknown as Callers;

let server: Server;
let port: number;
beforeAll(async () => {
  const settings = {
    REQUEST_TIMEOUT_MS: 5_000,
    STREAM_TIMEOUT_MS: 60_000,
    BODY_LIMIT_BYTES: 1_024,
    TRUSTED_PROXIES: ['loopback'],
    HSTS_MAX_AGE_SECONDS: 100,
    REQUESTS_PER_ADDRESS_PER_MINUTE: 5,
    REQUESTS_PER_CREDENTIAL_PER_MINUTE: 3,
  };
  server = createServer(
    { requireHostHeader: false },
    application(rows, { process: testProcess('gateway'), clock, callers, settings, pages: Router() }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
// Each test starts a new minute.
beforeEach(() => clock.advance(60_000));

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const framing = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = send(
      { port, host: '127.0.0.1', method, path, headers: { ...framing, ...headers }, signal: AbortSignal.timeout(10_000) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
/** Sends raw text on a new connection and returns the first data of the response. */
const sendRaw = async (request: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString();
};
const bodyOf = ({ bytes }: Reply): unknown => JSON.parse(bytes.toString());
const from = (address: string) => ({ 'x-forwarded-for': address });
const as = (name: string) => ({ authorization: name });

describe('every response', () => {
  it.each<[string, string, string, Record<string, string>, string | Buffer | undefined, number]>([
    ['of an operation', 'GET', '/api/v1/small', as('a'), undefined, 200],
    ['without a body', 'DELETE', '/api/v1/small', as('b'), undefined, 204],
    ['for an unknown path', 'GET', '/nonsense', {}, undefined, 404],
    ['for a path that cannot be decoded', 'GET', '/public/v1/forms/%E0%A4%A', {}, undefined, 404],
    ['for an unknown method', 'PUT', '/api/v1/small', {}, undefined, 404],
    ['for an invalid host', 'GET', '/api/v1/small', { host: 'a b' }, undefined, 400],
    ['without a credential', 'GET', '/api/v1/small', {}, undefined, 401],
    ['for a body that is too large', 'POST', '/public/v1/forms/x', {}, JSON.stringify({ name: 'x'.repeat(2_000) }), 413],
  ])('%s has an id, and is neither cached nor sniffed', async (_, method, path, headers, body, status) => {
    const reply = await ask(method, path, headers, body);
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is cacheable only if its route says for how long', async () => {
    expect((await ask('GET', '/.well-known/keys.json')).headers['cache-control']).toBe('public, max-age=60');
  });

  it('sends HSTS only if a trusted proxy reports TLS', async () => {
    expect((await ask('GET', '/nonsense', { 'x-forwarded-proto': 'https' })).headers['strict-transport-security']).toBe('max-age=100');
    expect((await ask('GET', '/nonsense', { 'x-forwarded-proto': 'http' })).headers).not.toHaveProperty('strict-transport-security');
    expect((await ask('GET', '/nonsense')).headers).not.toHaveProperty('strict-transport-security');
  });
});

it('rejects a body that is too large by its Content-Length, before any of it arrives', async () => {
  const reply = await sendRaw(
    'POST /public/v1/forms/x HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 413 [^]*X-Request-Id: [0-9a-f-]{36}[^]*"The body must have at most 1024 bytes\."/);
});

describe('a host', () => {
  it('is looked up in one spelling, without its port', async () => {
    seen.length = 0;
    for (const host of ['Forms.Example.org', 'forms.example.org:8080', 'forms.example.org.'])
      expect(await ask('GET', '/public/v1/forms/x', { host })).toMatchObject({ status: 200 });
    expect(seen).toEqual(['forms.example.org', 'forms.example.org', 'forms.example.org']);
  });

  it('is rejected if there are two', async () => {
    expect(await sendRaw('GET /public/v1/forms/x HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*Host: must be given once/,
    );
  });

  it.each([['a'.repeat(15_000)], ['forms.example.org:http'], ['forms.example.org:70000'], ['two words']])(
    'is rejected before the lookup if it is invalid: %s',
    async (host) => {
      seen.length = 0;
      const reply = await ask('GET', '/public/v1/forms/x', { host });
      expect({ status: reply.status, body: bodyOf(reply), seen }).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringMatching(/^Host: /) as unknown } },
        seen: [],
      });
    },
  );
});

describe('the rate limit', () => {
  it('of an address counts every request before reading it, until the minute ends', async () => {
    const client = from('9.9.9.9');
    const first = await ask('GET', '/public/v1/forms/x', client);
    expect(first.headers).toMatchObject({ 'ratelimit-policy': '"address";q=5;w=60', ratelimit: '"address";r=4;t=60' });
    for (let nth = 2; nth <= 5; nth++) await ask('GET', '/nonsense', client);

    const refused = await ask('POST', '/public/v1/forms/x', client, 'no JSON');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60', ratelimit: '"address";r=0;t=60', 'access-control-allow-origin': '*' },
    });
    expect(bodyOf(refused)).toEqual({
      error: { code: 'too_many_requests', message: 'Too many requests from this address. Please try again later.' },
    });
    expect(await ask('GET', '/public/v1/forms/x', from('8.8.8.8'))).toMatchObject({ status: 200 });
    clock.advance(60_000);
    expect(await ask('GET', '/public/v1/forms/x', client)).toMatchObject({ status: 200 });
  });

  it('of an IPv6 address applies to its whole /64 network', async () => {
    for (let nth = 1; nth <= 5; nth++) await ask('GET', '/public/v1/forms/x', from(`2606:4700:1:2::${nth}`));
    expect(await ask('GET', '/public/v1/forms/x', from('2606:4700:1:2:ffff::1'))).toMatchObject({ status: 429 });
    expect(await ask('GET', '/public/v1/forms/x', from('2606:4700:1:3::1'))).toMatchObject({ status: 200 });
  });

  it('of an address ignores the port', async () => {
    for (const address of ['9.9.9.8', '9.9.9.8:1', '9.9.9.8:65535', '9.9.9.8:80', '9.9.9.8'])
      await ask('GET', '/public/v1/forms/x', from(address));
    expect(await ask('GET', '/public/v1/forms/x', from('9.9.9.8:2'))).toMatchObject({ status: 429 });
    for (const address of [
      '[2606:4700:9:9::1]:1',
      '[2606:4700:9:9::1]',
      '2606:4700:9:9::1',
      '[2606:4700:9:9::2]:3',
      '[2606:4700:9:9::1]:4',
    ])
      await ask('GET', '/public/v1/forms/x', from(address));
    expect(await ask('GET', '/public/v1/forms/x', from('[2606:4700:9:9::3]:5'))).toMatchObject({ status: 429 });
  });

  it('of an address does not apply to private addresses, which many clients may share', async () => {
    for (let nth = 1; nth <= 20; nth++) {
      const { status, headers } = await ask('GET', '/public/v1/forms/x', from('10.1.2.3'));
      expect({ status, limit: headers.ratelimit }).toEqual({ status: 200, limit: undefined });
    }
  });

  it('of a credential counts requests from all addresses, before the body is read', async () => {
    const path = '/api/v1/large';
    const replies = [
      await ask('GET', path, as('k')),
      await ask('GET', path, { ...as('k'), ...from('9.9.9.9') }),
      await ask('GET', '/api/v1/small', as('k')),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies[1]?.headers.ratelimit).toBe('"address";r=4;t=60, "credential";r=1;t=60');
    const refused = await ask('POST', path, as('k'), 'no JSON');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect(await ask('GET', '/api/v1/small', as('another'))).toMatchObject({ status: 200 });
  });
});

describe('scripts of other origins', () => {
  const origin = { origin: 'https://elsewhere.example' };

  it.each(['/public/v1/forms/x', '/.well-known/keys.json'])('may read %s and the rate limit headers', async (path) => {
    const { headers } = await ask('GET', path, origin);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('may read error responses there as well', async () => {
    expect(await ask('POST', '/public/v1/forms/x', origin, 'no JSON')).toMatchObject({
      status: 400,
      headers: { 'access-control-allow-origin': '*' },
    });
  });

  it('get permission in the preflight, for any host and path', async () => {
    const preflight = {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,idempotency-key',
    };
    expect(await ask('OPTIONS', '/public/v1/forms/unknown/submissions', { ...preflight, host: 'nobody.example' })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': expect.stringMatching(/Content-Type, Idempotency-Key/) as unknown,
        'access-control-max-age': '86400',
        'x-request-id': expect.any(String) as unknown,
      },
    });
  });

  it('may read nothing else', async () => {
    for (const path of ['/api/v1/small', '/app/v1/plain', '/nonsense']) {
      expect((await ask('GET', path, { ...origin, ...as('o') })).headers).not.toHaveProperty('access-control-allow-origin');
      expect(await ask('OPTIONS', path, { ...origin, 'access-control-request-method': 'GET' })).toMatchObject({ status: 404 });
    }
  });
});

describe('a large response', () => {
  const accepting = { 'accept-encoding': 'gzip, deflate, br' };

  it('is compressed for clients that accept gzip', async () => {
    const { headers, bytes } = await ask('GET', '/api/v1/large', { ...as('z'), ...accepting });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding', 'content-length': String(bytes.length) });
    expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ text });
    expect(bytes.length).toBeLessThan(text.length / 10);
  });

  it.each([
    ['for clients that do not accept gzip', 'GET', '/api/v1/large', {}],
    ['for clients that forbid gzip', 'GET', '/api/v1/large', { 'accept-encoding': 'gzip;q=0' }],
    ['for a request that changes something, because the response may contain a secret', 'POST', '/api/v1/large', accepting],
    [
      'for another site, which could guess the content from the length',
      'GET',
      '/api/v1/large',
      { ...accepting, 'sec-fetch-site': 'cross-site' },
    ],
    ['if it is small', 'GET', '/api/v1/small', accepting],
  ])('is not compressed %s', async (_, method, path, headers) => {
    const reply = await ask(method, path, { ...as(`not ${_}`), ...headers });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.headers).not.toHaveProperty('content-encoding');
    expect(bodyOf(reply)).toEqual({ text: path === '/api/v1/large' ? text : 'short' });
  });

  it('has the same headers and no body for HEAD', async () => {
    const { status, headers, bytes } = await ask('HEAD', '/api/v1/large', as('h'));
    expect({ status, length: headers['content-length'], bytes: bytes.length }).toEqual({
      status: 200,
      length: String(JSON.stringify({ text }).length),
      bytes: 0,
    });
  });
});

describe('an unknown query parameter', () => {
  it.each([
    ['/app/v1/list?nmae=x', 'nmae'],
    ['/app/v1/list?name=x&page=2', 'page'],
    ['/app/v1/plain?x', 'x'],
    ['/app/v1/list?__proto__=1', '__proto__'],
  ])('is rejected by name under /app/v1: %s', async (path, name) => {
    expect(bodyOf(await ask('GET', path, as(path)))).toEqual({
      error: { code: 'bad_request', message: `${name}: is not a parameter of this operation` },
    });
  });

  it.each(['/app/v1/list?name=x', '/app/v1/list?', '/api/v1/small?nmae=x', '/public/v1/forms/x?utm_source=y'])(
    'causes no error in %s',
    async (path) => {
      expect(await ask('GET', path, as(path))).toMatchObject({ status: 200 });
    },
  );
});

describe('a compressed body', () => {
  const gzipped = (value: unknown) => gzipSync(JSON.stringify(value));
  const gzip = { 'content-encoding': 'gzip' };

  it.each([['/public/v1/forms/x'], ['/public/v1/files']])('is rejected at %s, which needs no credential', async (path) => {
    const reply = await ask('POST', path, gzip, gzipped({ name: 'Ada' }));
    expect({ status: reply.status, body: bodyOf(reply) }).toEqual({
      status: 400,
      body: {
        error: { code: 'bad_request', message: 'Content-Encoding: must be identity; this operation does not accept compressed bodies' },
      },
    });
  });

  it('is accepted from an authenticated caller, up to the limit for its decompressed size', async () => {
    expect(await ask('POST', '/api/v1/large', { ...as('g'), ...gzip }, gzipped({ name: 'Ada' }))).toMatchObject({ status: 200 });
    expect(await ask('POST', '/api/v1/large', { ...as('g'), ...gzip }, gzipped({ name: 'x'.repeat(100_000) }))).toMatchObject({
      status: 413,
    });
  });

  it('is rejected if its encoding is unknown', async () => {
    const reply = await ask('POST', '/api/v1/large', { ...as('e'), 'content-encoding': 'gzip, gzip' }, gzipped({}));
    expect(bodyOf(reply)).toMatchObject({ error: { message: 'Content-Encoding: must be gzip, deflate, br or identity' } });
  });
});
