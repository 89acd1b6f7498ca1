import { connect as connectTo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyone, asOwner } from '../../support/people';
import { raw } from '../../support/raw';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

describe('the gateway', () => {
  it('answers 404 for unknown paths', async () => {
    expect(await asOwner.offTheMap.get('/api/v1/nonsense')).toMatchObject(error(404, 'not_found'));
    expect(await anyone.offTheMap.get('/nonsense')).toMatchObject(error(404, 'not_found'));
    expect(await asOwner.get('/api/v1/forms/%E0%A4%A')).toMatchObject(error(404, 'not_found'));
  });

  it('lists the methods of a path before it checks the credential', async () => {
    const reply = await anyone.offTheMap.put('/api/v1/forms', {});
    expect(reply).toMatchObject(error(404, 'not_found'));
    expect(reply.headers.get('allow')).toBe('GET, POST');
  });

  it.each([
    ['is not JSON', '{"title":', 'application/json', 'The body is not valid JSON.'],
    ['is not an object', '["title"]', 'application/json', 'The body must be a JSON object.'],
    ['is of another type', 'title=x', 'application/x-www-form-urlencoded', 'Content-Type: must be application/json'],
    ['has a field of the wrong type', '{"title": 5}', 'application/json', 'title: must be a string'],
    [
      'has a title that is too long',
      JSON.stringify({ title: 'x'.repeat(201) }),
      'application/json',
      'title: must have at most 200 characters',
    ],
    ['has NUL in a text', '{"title": "a\\u0000b"}', 'application/json', 'title: must be well-formed Unicode without NUL'],
  ])('rejects a body that %s', async (_, body, type, message) => {
    expect(await asOwner.send('POST', '/api/v1/forms', body, { 'content-type': type })).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message } },
    });
  });

  it('rejects a body that is too large and accepts one just below the limit', async () => {
    const body = (bytes: number) => `{"title":"x","filler":"${'y'.repeat(bytes)}"}`;
    expect(await asOwner.post('/api/v1/forms', body(1_048_576))).toMatchObject(error(413, 'payload_too_large'));
    expect(await asOwner.post('/api/v1/forms', body(1_000_000))).toMatchObject({ status: 201 });
  });

  it.each([
    ['limit=0', 'limit: must be between 1 and 100'],
    ['limit=101', 'limit: must be between 1 and 100'],
    ['limit=abc', 'limit: must be between 1 and 100'],
    ['offset=-1', 'offset: must be at least 0'],
    ['status=lost', 'status: must be one of active, archived, disabled, trashed'],
  ])('rejects the query %s and names the bound', async (query, message) => {
    expect(await asOwner.get(`/api/v1/forms?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
  });

  it('gives every response a request id, and keeps the one of the request', async () => {
    expect((await asOwner.get('/api/v1/auth/me')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const given = await asOwner.send('GET', '/api/v1/auth/me', undefined, { 'x-request-id': 'trace-7' });
    expect(given.headers.get('x-request-id')).toBe('trace-7');
    for (const path of ['/nonsense', '/api/v1/auth/me', '/docs', '/api/v1/openapi.json']) {
      expect((await anyone.offTheMap.get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('rejects an unknown query parameter under /app/v1 and ignores it under /api/v1', async () => {
    expect(await asOwner.get('/app/v1/audit-log?actoin=x')).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message: 'actoin: is not a parameter of this operation' } },
    });
    expect(await asOwner.get('/api/v1/forms?stauts=x')).toMatchObject({ status: 200 });
  });

  it('rejects an invalid host before it looks up the instance', async () => {
    for (const host of ['x'.repeat(300), 'forms.example.org:http', 'forms.example.org:65536', 'forms example.org']) {
      expect(await raw({ method: 'GET', path: '/public/v1/forms/x', headers: { host } })).toMatchObject({
        status: 400,
        body: {
          error: { code: 'bad_request', message: 'Host: must be a host name of at most 255 bytes, optionally with a port from 1 to 65535' },
        },
      });
    }
  });

  it('lets scripts from every origin use the public paths, and no others', async () => {
    const preflight = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,idempotency-key',
    };
    expect(await raw({ method: 'OPTIONS', path: '/public/v1/forms/x/submissions', headers: preflight })).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*' },
    });
    expect((await raw({ method: 'OPTIONS', path: '/api/v1/forms', headers: preflight })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  it('limits the requests of a public address and reports how many are left', async () => {
    const from = { 'x-forwarded-for': '9.9.9.9' };
    const { headers } = await asOwner.send('GET', '/api/v1/auth/me', undefined, from);
    expect(headers.get('ratelimit-policy')).toBe('"address";q=3000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"address";r=\d+;t=\d+$/);
  });

  it('answers input that is not HTTP with its own error format', async () => {
    const { hostname, port } = new URL(anyone.origin);
    const socket = connectTo(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write('NONSENSE\r\n\r\n');
    for (let waited = 0; !answer.includes('}}') && waited < 5_000; waited += 20) await sleep(20);
    socket.destroy();
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('{"error":{"code":"bad_request"');
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(answer).toContain('\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n');
  });
});
