import { operations, pathOf } from '../../support/operations';
import { anyone, asOwner } from '../../support/people';
import { raw, sendBytes } from '../../support/raw';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

const owner = { authorization: `Bearer ${asOwner.credential ?? ''}` };
const json = { ...owner, 'content-type': 'application/json' };

describe('a request', () => {
  it.each([
    ['headers of 40,000 bytes', { 'x-large': 'x'.repeat(40_000) }],
    ['500 headers of 100 bytes', Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'x'.repeat(100)]))],
    ['a key of 40,000 bytes', { authorization: `Bearer ${'x'.repeat(40_000)}` }],
  ])('with %s is rejected', async (_, headers) => {
    expect(await raw({ method: 'GET', path: '/api/v1/forms', headers })).toMatchObject(error(400, 'bad_request'));
  });

  it('with a URL of 40,000 bytes is rejected', async () => {
    expect(await raw({ method: 'GET', path: `/api/v1/forms?q=${'x'.repeat(40_000)}`, headers: owner })).toMatchObject(
      error(400, 'bad_request'),
    );
  });

  it.each(['', 'Basic b3duZXI6eA==', 'Bearer', 'Bearer  ', 'bearer x y', `Bearer shf_u_${'é'.repeat(10)}`, 'Bearer null'])(
    'with the credential %j is not authenticated',
    async (authorization) => {
      expect(
        await raw({ method: 'GET', path: '/api/v1/forms', headers: { authorization: Buffer.from(authorization).toString('latin1') } }),
      ).toMatchObject(error(401, 'unauthorized'));
    },
  );

  it.each([
    'GET /api/v1/forms HTTP/1.1\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    '\0\0\0\0\r\n\r\n',
    'GET /api/v1/forms HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  ])('that is not valid HTTP gets a response: %j', async (bytes) => {
    expect(await sendBytes(bytes)).toMatch(/^HTTP\/1\.1 400 [^]*\{"error":\{"code":"bad_request","message":"[^"]+"\}\}/);
  });

  it.each(['OPTIONS', 'TRACE', 'PROPFIND', 'PUT'])('with the method %s gets the list of allowed methods', async (method) => {
    const reply = await raw({ method, path: '/api/v1/forms', headers: owner });
    expect(reply).toMatchObject(error(404, 'not_found'));
    expect(reply.headers.allow).toBe('GET, POST');
  });

  it('with the method HEAD gets the status without a body', async () => {
    const reply = await raw({ method: 'HEAD', path: '/api/v1/forms', headers: owner });
    expect(reply).toMatchObject({ status: 200, body: undefined });
    expect(await raw({ method: 'HEAD', path: '/api/v1/forms' })).toMatchObject({ status: 401, body: undefined });
  });

  it.each([
    '//',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/forms/x/y/z',
    '/API/v1/forms',
    '/api/v1/../v1/forms/x',
    '/.env',
    '/api/v1/forms%2Fx',
    '/%00',
    '/%',
    '*',
  ])('to %s is not found', async (path) => {
    expect(await raw({ method: 'GET', path, headers: owner })).toMatchObject(error(404, 'not_found'));
  });

  it('may have an unknown Expect header', async () => {
    expect(await raw({ method: 'GET', path: '/api/v1/forms', headers: { ...owner, expect: 'miracles' } })).toMatchObject({ status: 200 });
    expect(
      await raw({ method: 'POST', path: '/api/v1/forms', headers: { ...json, expect: '100-continue' }, body: '{"title": "Continued"}' }),
    ).toMatchObject({ status: 201 });
  });

  it('gets a new id if its own could forge a log line', async () => {
    const reply = await raw({ method: 'GET', path: '/api/v1/auth/me', headers: { ...owner, 'x-request-id': 'x"},{"level":"fatal' } });
    expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it('no response reveals internals', async () => {
  for (const operation of operations.filter(({ isEndless }) => !isEndless)) {
    const { body } = await raw({ method: operation.method, path: pathOf(operation), headers: json, body: '{"title": {}' });
    expect(JSON.stringify(body ?? '')).not.toMatch(/node_modules|\bat \w+ \(|select |insert |knex|grpc|ECONN|postgres/i);
  }
  expect(await anyone.get('/public/v1/forms/x')).toMatchObject(error(404, 'not_found'));
});
