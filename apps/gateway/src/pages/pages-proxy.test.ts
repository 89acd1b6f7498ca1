import { once } from 'node:events';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { ask, behind, settings, usePages } from '../../test/pages';

usePages();

const sendRaw = async (text: string): Promise<string> => {
  const socket = connect(behind.port, '127.0.0.1');
  socket.write(text);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString();
};

describe('a request for a page', () => {
  it.each([
    '/',
    '/?lang=de',
    '/f/survey',
    '/f/survey/receipt/abc?lang=de',
    '/assets/form-1.css',
    '/embed.js',
    '/embed.js?v=1',
    '/console',
    '/console/forms?q=a',
    '/invitations/a',
  ])('is passed on with its path as it is: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: 'hello' });
    expect(behind.seen.map(({ url }) => url)).toEqual([path]);
  });

  it.each(['/f', '/embed.json', '/embedXjs', '/assets', '/consoles', '/invitations', '//f/x', '/F/x', '/api/v1/../../f/x'])(
    'is no other path: %s',
    async (path) => {
      expect(await ask(path)).toMatchObject({ status: 404, headers: { 'content-type': 'application/json; charset=utf-8' } });
      expect(behind.seen).toEqual([]);
    },
  );

  it('is one of a page even with dots in it, which pages resolve no more than the gateway', async () => {
    await ask('/f/../assets/%2e%2e/x');
    expect(behind.seen.map(({ url }) => url)).toEqual(['/f/../assets/%2e%2e/x']);
  });

  it('has the respondent’s token of the instance, the id, the address, the trace and the deadline', async () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const before = Date.now();
    await ask('/f/x', {
      headers: {
        host: 'Forms.example:81',
        traceparent: trace,
        'x-forwarded-for': '10.1.2.3',
        'x-forwarded-proto': 'https',
        'x-request-id': 'mine',
      },
    });
    const headers = behind.seen[0]?.headers ?? {};
    expect(headers).toMatchObject({
      host: 'Forms.example:81',
      'x-sheaf-caller': 'of-forms.example at pages',
      'x-request-id': 'mine',
      'x-client-address': '10.1.2.3',
      'x-forwarded-proto': 'https',
      traceparent: trace,
    });
    expect(Number(headers['x-sheaf-deadline'])).toBeGreaterThanOrEqual(before + settings.REQUEST_TIMEOUT_MS);
    expect(Number(headers['x-sheaf-deadline'])).toBeLessThanOrEqual(Date.now() + settings.REQUEST_TIMEOUT_MS);
  });

  it('keeps the headers that a page depends on, and no credential, cookie or header under our names', async () => {
    const kept = {
      accept: 'text/html',
      'accept-encoding': 'gzip',
      'accept-language': 'de',
      'if-none-match': '"1"',
      origin: 'https://a.example',
      referer: 'https://a.example/',
      'sec-fetch-site': 'cross-site',
      'user-agent': 'tests',
    };
    const dropped = {
      authorization: 'Bearer x',
      cookie: 'a=b',
      'x-sheaf-caller': 'forged',
      'x-sheaf-deadline': '9e15',
      'x-client-address': '1.2.3.4',
      'x-sheaf-anything': 'x',
      te: 'trailers',
      'content-length': '0',
    };
    await ask('/f/x', { headers: { ...kept, ...dropped } });
    const headers = behind.seen[0]?.headers ?? {};
    expect(headers).toMatchObject({ ...kept, 'x-sheaf-caller': 'of-localhost at pages', 'x-client-address': '127.0.0.1' });
    expect(
      Object.keys(headers)
        .filter((name) => !Object.keys(kept).includes(name))
        .sort(),
    ).toEqual(['connection', 'host', 'x-client-address', 'x-forwarded-proto', 'x-request-id', 'x-sheaf-caller', 'x-sheaf-deadline']);
  });

  it('reuses its connection to pages', async () => {
    await ask('/f/x');
    const before = behind.connections;
    for (let count = 0; count < 5; count++) await ask('/f/x');
    expect(behind.connections).toBe(before);
  });

  it('counts towards the limit of its address', async () => {
    const headers = { 'x-forwarded-for': '8.8.4.4' };
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask('/f/x', { headers })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(behind.seen).toHaveLength(3);
  });

  it('of a host without an instance is not passed on', async () => {
    expect(await ask('/f/x', { headers: { host: 'nobody.example' } })).toMatchObject({ status: 404 });
    expect(await ask('/f/x', { headers: { host: 'a b' } })).toMatchObject({ status: 400 });
    expect(behind.seen).toEqual([]);
  });

  it('with another method than GET, HEAD or POST is not passed on', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])
      expect(await ask('/f/x', { method })).toMatchObject({ status: 404 });
    expect(behind.seen).toEqual([]);
  });

  it('cannot name another host in its path, and opens no tunnel', async () => {
    expect(await sendRaw('GET http://elsewhere.example/f/x HTTP/1.1\r\nHost: a.example\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /);
    expect(behind.seen).toEqual([]);
    expect(await sendRaw('GET /f/x HTTP/1.1\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(behind.seen[0]?.headers).not.toHaveProperty('upgrade');
  });
});

describe('an answer of pages', () => {
  it('keeps its status and headers, but the connection and the request id are the gateway’s', async () => {
    behind.answer = (_request, response) =>
      response
        .writeHead(303, {
          location: '/f/x/receipt/1',
          'x-request-id': 'other',
          connection: 'close',
          'cache-control': 'no-store',
          'set-cookie': ['a=1', 'b=2'],
        })
        .end('see');
    const reply = await ask('/f/x', { headers: { 'x-request-id': 'mine', 'x-forwarded-proto': 'https', connection: 'keep-alive' } });
    expect(reply).toMatchObject({ status: 303, body: 'see' });
    expect(reply.headers).toMatchObject({
      location: '/f/x/receipt/1',
      'cache-control': 'no-store',
      'x-request-id': 'mine',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=100',
      connection: 'keep-alive',
      'set-cookie': ['a=1', 'b=2'],
    });
  });

  it('to HEAD has the length and no body', async () => {
    behind.answer = (_request, response) => response.writeHead(200, { 'content-length': 5 }).end();
    expect(await ask('/f/x', { method: 'HEAD' })).toMatchObject({ status: 200, headers: { 'content-length': '5' }, body: '' });
  });

  it('arrives while pages still write it', async () => {
    let rest: ServerResponse | undefined;
    behind.answer = (_request, response) => {
      rest = response;
      response.write('first ');
    };
    const outgoing = send({ port: behind.port, path: '/f/x' }).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(String(((await once(response, 'data')) as [Buffer])[0])).toBe('first ');
    rest?.end('second');
    expect(String(((await once(response, 'data')) as [Buffer])[0])).toBe('second');
  });

  it('that is larger than any buffer arrives whole', async () => {
    const page = 'page '.repeat(2_000_000);
    behind.answer = (_request, response) => response.end(page);
    expect((await ask('/f/x')).body).toBe(page);
  });

  it('that breaks off breaks off for the client too', async () => {
    behind.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('some');
      setTimeout(() => response.destroy(), 50);
    };
    await expect(ask('/f/x')).rejects.toThrow('aborted');
  });
});

describe('of the cookies of a browser', () => {
  it('only the pass to a form is passed on, and no header that claims to be one', async () => {
    const cookie = 'sheaf_session=s3cret; sheaf_form=a.pass-1; sheaf_device=d';
    await ask('/f/x', { headers: { cookie, 'x-sheaf-form-pass': 'forged' } });
    await ask('/f/x', { headers: { 'x-sheaf-form-pass': 'forged' } });
    const [first, second] = behind.seen.map(({ headers }) => headers);
    expect([first?.['x-sheaf-form-pass'], second?.['x-sheaf-form-pass']]).toEqual(['a.pass-1', undefined]);
    expect(JSON.stringify([first, second])).not.toMatch(/s3cret|forged|cookie/);
  });

  it.each(['sheaf_form=', 'sheaf_form=a b', `sheaf_form=${'a'.repeat(1_001)}`, '__Secure-sheaf_form=a.b'])(
    'none that is no pass is passed on without TLS (%#)',
    async (cookie) => {
      await ask('/f/x', { headers: { cookie } });
      expect(behind.seen.at(-1)?.headers['x-sheaf-form-pass']).toBeUndefined();
    },
  );
});
