import { as, ask, bodyOf, lineOf, lookedUp, sendRaw, useApplication } from '../test/application';

useApplication();

const form = '0197f0c2-0000-7000-8000-000000000001';

describe('the log', () => {
  it.each<[string, string, Record<string, string>, object]>([
    ['DELETE', '/api/v1/small', as('b'), { level: 'info', method: 'DELETE', route: '/api/v1/small', status: 204 }],
    ['POST', '/public/v1/forms/secret', {}, { level: 'info', method: 'POST', route: '/public/v1/forms/:form', status: 400 }],
    ['GET', '/api/v1/small', {}, { level: 'info', route: '/api/v1/small', status: 401 }],
    ['GET', '/nonsense', {}, { level: 'info', status: 404, code: 'not_found' }],
    ['GET', '/api/v1/small', { host: 'a b' }, { level: 'info', status: 400 }],
    ['GET', '/api/v1/small', as('b'), { level: 'info', route: '/api/v1/small', status: 200, instanceId: 'instance', who: 'session' }],
    ['GET', `/public/v1/forms/${form}`, {}, { level: 'info', status: 200, formId: form, who: 'none' }],
  ])('has the id of %s %s with its route and status, and nothing of the path', async (method, path, headers, line) => {
    const { headers: answered } = await ask(method, path, headers, method === 'POST' ? 'no JSON' : undefined);
    const found = await lineOf(answered['x-request-id']);
    expect(found).toMatchObject({ ...line, durationMs: expect.any(Number) as unknown });
    expect(JSON.stringify(found)).not.toContain('secret');
  });

  it('has the id that a proxy in front assigned', async () => {
    await ask('DELETE', '/api/v1/small', { ...as('b'), 'x-request-id': 'from-the-proxy' });
    expect(await lineOf('from-the-proxy')).toMatchObject({ status: 204 });
  });
});

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

describe('a failure on our side', () => {
  it('of something that a request needs is a 503 that says so, and when to try again', async () => {
    const { status, headers, bytes } = await ask('GET', '/public/v1/failing/outage');
    expect({ status, retryAfter: headers['retry-after'], body: JSON.parse(bytes.toString()) as unknown }).toEqual({
      status: 503,
      retryAfter: '1',
      body: { error: { code: 'internal_error', message: 'Part of the service is down or too slow at the moment. Please try again.' } },
    });
  });

  it('in our code is a 500 that says so, and invites no retry', async () => {
    const { status, headers, bytes } = await ask('GET', '/public/v1/failing/bug');
    expect({ status, body: JSON.parse(bytes.toString()) as unknown }).toEqual({
      status: 500,
      body: { error: { code: 'internal_error', message: 'Something went wrong on our side.' } },
    });
    expect(headers).not.toHaveProperty('retry-after');
  });
});

it('rejects a body that is too large by its Content-Length, before any of it arrives', async () => {
  const reply = await sendRaw(
    'POST /public/v1/forms/x HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: 2000\r\n\r\n',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 413 [^]*X-Request-Id: [0-9a-f-]{36}[^]*"The body must have at most 1024 bytes\."/);
});

describe('a host', () => {
  it('is looked up in lower case, without its port or trailing dot', async () => {
    lookedUp.length = 0;
    for (const host of ['Forms.Example.org', 'forms.example.org:8080', 'forms.example.org.'])
      expect(await ask('GET', '/public/v1/forms/x', { host })).toMatchObject({ status: 200 });
    expect(lookedUp).toEqual(['forms.example.org', 'forms.example.org', 'forms.example.org']);
  });

  it('is rejected if there are two', async () => {
    expect(await sendRaw('GET /public/v1/forms/x HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 [^]*Host: must be given once/,
    );
  });

  it.each([['a'.repeat(15_000)], ['forms.example.org:http'], ['forms.example.org:70000'], ['two words']])(
    'is rejected before the lookup if it is invalid: %s',
    async (host) => {
      lookedUp.length = 0;
      const reply = await ask('GET', '/public/v1/forms/x', { host });
      expect({ status: reply.status, body: bodyOf(reply), lookedUp }).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringMatching(/^Host: /) as unknown } },
        lookedUp: [],
      });
    },
  );
});

describe('an unknown member of a body', () => {
  const send = (path: string, body: unknown) => ask('POST', path, as(path + JSON.stringify(body)), JSON.stringify(body));

  it.each<[unknown, string]>([
    [{ name: 'x', requird: true }, 'requird'],
    [{ name: 'x', fields: [{ label: 'a' }, { label: 'b', unique: true }] }, 'fields.1.unique'],
  ])('is rejected by name under /app/v1: %j', async (body, name) => {
    const reply = await send('/app/v1/list', body);
    expect(reply.status).toBe(400);
    const message = 'is not a member of this request';
    expect(bodyOf(reply)).toEqual({ error: { code: 'bad_request', message: `${name}: ${message}`, details: [{ key: name, message }] } });
  });

  it.each(['/api/v1/large', '/public/v1/forms/x'])('is ignored by %s', async (path) => {
    expect((await send(path, { name: 'x', requird: true })).status).toBeLessThan(300);
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
