import type { ServerResponse } from 'node:http';
import {
  acceptInvitation,
  createFolder,
  createForm,
  createSession,
  exportSubmissions,
  getCaller,
  getForm,
  importForm,
  searchSubmissions,
  submitForm,
  trashForm,
  updateForm,
  saveFormDraft,
} from './generated/sdk.gen';
import { createClient } from './client';
import { SheafConnectionError, SheafError, SheafTimeoutError } from './errors';
import { answer, hangUp, refuse, ScriptedServer, stall, type Step } from './testing/scripted-server';

let server: ScriptedServer;
beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());

const form = '0197f0c2';
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('A request', () => {
  it('has the path, the query and the body of its operation', async () => {
    const client = server.will(answer({ data: [], next_cursor: null })).client({ url: `${server.origin}/` });
    await searchSubmissions({
      client,
      path: { id: 'a/b' },
      query: { limit: 5, status: ['new', 'approved'], q: 'tea & cake', filter: { age: { gte: '18' }, colour: ['red', 'blue'] } },
    });
    await updateForm({ client, path: { id: form }, body: { title: 'Site visit' } });
    expect(server.received.map(({ method, url, body }) => [method, decodeURIComponent(url), body.toString()])).toEqual([
      [
        'GET',
        '/app/v1/forms/a/b/submissions?limit=5&status=new&status=approved&q=tea+&+cake&filter[age][gte]=18&filter[colour]=red&filter[colour]=blue',
        '',
      ],
      ['PATCH', `/api/v1/forms/${form}`, '{"title":"Site visit"}'],
    ]);
    expect(server.received[0]?.url).toContain('/forms/a%2Fb/submissions?');
    expect(server.received[1]?.headers['content-type']).toBe('application/json');
  });

  it('goes to the instance, also with the address of its API, as credentials.json has it', async () => {
    for (const path of ['', '/', '/api/v1', '/api/v1/']) {
      await getCaller({ client: server.will(answer({})).client({ url: `${server.origin}${path}` }) });
    }
    expect(new Set(server.received.map(({ url }) => url))).toEqual(new Set(['/api/v1/auth/me']));
  });

  it('carries the key only where the operation needs one', async () => {
    const client = server.will(answer({})).client({ key: 'shf_u_1' });
    await getCaller({ client });
    await createSession({ client, body: { email: 'ada@example.org', password: 'secret' } });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer shf_u_1', undefined]);
  });

  it('carries the key that a function returns at that moment', async () => {
    const keys = ['one', 'two'];
    const client = server.will(answer({})).client({ key: () => Promise.resolve(keys.shift() ?? '') });
    await getCaller({ client });
    await getCaller({ client });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
  });

  it('takes a key from a file with its line break, but none that headers cannot have, and does not show it', async () => {
    await getCaller({ client: server.will(answer({})).client({ key: 'shf_u_1\n' }) });
    expect(server.received[0]?.headers.authorization).toBe('Bearer shf_u_1');
    for (const key of ['', 'shf_u_1\nshf_u_2', 'shf_ü']) {
      await expect(getCaller({ client: server.client({ key }) })).rejects.toThrow(
        /^key: must have visible ASCII characters, and no others$/,
      );
    }
    expect(server.received).toHaveLength(1);
  });

  it('has no content type without a body', async () => {
    await createForm({ client: server.will(answer({})).client() });
    expect(server.received[0]?.headers).not.toHaveProperty('content-type');
  });

  it('sends a file as it is, with its own type', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    await importForm({ client: server.will(answer({})).client(), body: new Blob(['PK'], { type }), query: { workspace_id: 'w' } });
    expect(server.received[0]).toMatchObject({ headers: { 'content-type': type }, body: Buffer.from('PK') });
  });

  it.each([{ id: '' }, { id: '.' }, { id: '..' }, {} as { id: string }])(
    'is not sent with %j in its path, which would lead elsewhere',
    async (path) => {
      const client = server.will(answer({})).client();
      await expect(trashForm({ client, path })).rejects.toThrow(/^path\.id: must/);
      expect(server.received).toEqual([]);
    },
  );

  it('goes to an address on the web', () => {
    expect(() => createClient({ url: 'ftp://forms.example.org' })).toThrow('url: must begin with https:// or http://');
    expect(() => createClient({ url: 'forms.example.org' })).toThrow('Invalid URL');
  });

  it('can be sent by another fetch', async () => {
    const seen: string[] = [];
    const other: typeof fetch = (address) => {
      seen.push(address as string);
      return Promise.resolve(new Response('{"id":"me"}'));
    };
    const client = createClient({ url: 'https://forms.example.org/base/', fetch: other });
    expect(await getCaller({ client })).toEqual({ id: 'me' });
    expect(seen).toEqual(['https://forms.example.org/base/api/v1/auth/me']);
  });
});

describe('A key', () => {
  it.each(['http://forms.example.org', 'http://10.0.0.7:8080', 'http://localhost.example.org'])('is not sent in the clear to %s', (url) => {
    expect(() => createClient({ url, key: 'shf_u_1' })).toThrow(/^url: must begin with https:\/\/, or everybody/);
    expect(() => createClient({ url, key: () => 'shf_u_1' })).toThrow(TypeError);
  });

  it('is sent to this machine, and to a network that the caller trusts', () => {
    for (const url of [
      'http://localhost:8080',
      'http://acme.localhost',
      'http://127.0.0.1:8080',
      'http://[::1]:8080',
      'https://forms.example.org',
    ])
      expect(() => createClient({ url, key: 'shf_u_1' })).not.toThrow();
    expect(() => createClient({ url: 'http://gateway:8080', key: 'shf_u_1', allowHttp: true })).not.toThrow();
    expect(() => createClient({ url: 'http://forms.example.org' })).not.toThrow();
  });
});

describe('A redirect', () => {
  it.each([301, 302, 303, 307, 308])('with status %d is not followed, and an error that says where it leads', async (status) => {
    const location = 'https://forms.example.org/api/v1/forms?secret';
    const client = server
      .will((_, response) => response.writeHead(status, { location }).end(), answer({ data: [] }))
      .client({ key: 'shf_u_1' });
    const error = await caught(createForm({ client, body: { title: 'Site visit' } }));
    expect(error).toBeInstanceOf(SheafError);
    expect(error).toMatchObject({
      code: 'redirected',
      status,
      message:
        'POST /api/v1/forms: the server redirects to https://forms.example.org, which is not followed; give the client the address where Sheaf itself answers',
    });
    expect(server.received).toHaveLength(1);
  });

  it('of a file, and without an address, is an error as well', async () => {
    const client = server.will((_, response) => response.writeHead(302).end()).client();
    expect(await caught(exportSubmissions({ client, path: { id: form }, query: { format: 'csv' } }))).toMatchObject({
      code: 'redirected',
      message: expect.stringContaining('redirects to another address,') as string,
    });
  });

  it('that a browser hides is an error as well', async () => {
    const hidden = Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } });
    const client = createClient({ url: 'https://forms.example.org', fetch: () => Promise.resolve(hidden) });
    expect(await caught(getCaller({ client }))).toMatchObject({ code: 'redirected', status: 0 });
  });
});

describe('An answer', () => {
  it('is its data, or nothing', async () => {
    const client = server.will(answer({ id: form }), (_, response) => response.writeHead(204).end()).client();
    expect(await getForm({ client, path: { id: form } })).toEqual({ id: form });
    expect(await trashForm({ client, path: { id: form } })).toBeUndefined();
  });

  it('that refuses is thrown with its code, status, details and request id', async () => {
    const details = [{ key: 'title', message: 'must not be empty' }];
    const body = { error: { code: 'bad_request', message: 'title: must not be empty', details } };
    const client = server.will(answer(body, 400, { 'x-request-id': 'r-7' })).client();
    const error = await caught(updateForm({ client, path: { id: form }, body: { title: '' } }));
    expect(error).toBeInstanceOf(SheafError);
    expect(error).toMatchObject({
      name: 'SheafError',
      code: 'bad_request',
      status: 400,
      details,
      requestId: 'r-7',
      message: 'PATCH /api/v1/forms/{id}: title: must not be empty',
    });
  });

  it.each([200, 201, 204])('of status %d without the data of its operation is thrown as an empty response', async (status) => {
    const client = server.will((_, response) => response.writeHead(status).end()).client();
    expect(await caught(createForm({ client, body: {} }))).toMatchObject({ name: 'SheafError', code: 'empty_response', status });
  });

  it.each([
    [200, 'null'],
    [200, '"ok"'],
    [200, '<html>Sign in to the network</html>'],
    [403, '<html>Forbidden</html>'],
    [400, '{"error":"no"}'],
  ])('of status %d that is not from Sheaf is thrown as an unexpected response', async (status, page) => {
    const client = server.will((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(page)).client();
    expect(await caught(getCaller({ client }))).toMatchObject({ code: 'unexpected_response', status, details: [] });
  });
});

it('An error does not show what stands in the address, such as the token of an invitation', async () => {
  const client = server.will(refuse(404, 'not_found')).client();
  const error = await caught(acceptInvitation({ client, path: { token: 'a-secret' }, body: { name: 'Ada', password: 'another' } }));
  expect(error).toMatchObject({ message: 'POST /app/v1/invitations/{token}: refused with not_found' });
});

describe('A failure that may pass', () => {
  it.each([429, 502, 503, 504])('with status %d is followed by another attempt', async (status) => {
    const client = server.will(refuse(status, 'too_many_requests'), answer({ id: 'me' })).client();
    expect(await getCaller({ client })).toEqual({ id: 'me' });
    expect(server.received).toHaveLength(2);
  });

  it('of the connection is followed by another attempt', async () => {
    const client = server.will(hangUp, answer({ id: 'me' })).client();
    expect(await getCaller({ client })).toEqual({ id: 'me' });
  });

  it('in the middle of an answer is followed by another attempt', async () => {
    const breakOff = (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"id":');
      setTimeout(() => response.destroy(), 10);
    };
    expect(await getCaller({ client: server.will(breakOff, answer({ id: 'me' })).client() })).toEqual({ id: 'me' });
  });

  it('waits about twice as long each time, up to a bound', async () => {
    const client = server.will(refuse(503, 'internal_error')).client({ retries: 6, maxRetryDelayMs: 2_000 });
    expect(await caught(getCaller({ client }))).toMatchObject({ status: 503 });
    // The chance is one half, so three quarters of 250, 500, 1,000 and 2,000 milliseconds.
    expect(server.waits).toEqual([187.5, 375, 750, 1_500, 1_500, 1_500]);
  });

  it('ends after the fourth attempt unless the client or the call says otherwise', async () => {
    server.will(hangUp);
    expect(await caught(getCaller({ client: server.client() }))).toBeInstanceOf(SheafConnectionError);
    expect(server.received).toHaveLength(4);
    server.will(hangUp);
    await caught(getCaller({ client: server.client({ retries: 1 }) }));
    expect(server.received).toHaveLength(2);
    server.will(hangUp);
    await caught(getCaller({ client: server.client(), retries: 0 }));
    expect(server.received).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 413, 500])('is none with status %d', async (status) => {
    await caught(getCaller({ client: server.will(refuse(status, 'conflict')).client() }));
    expect(server.received).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it.each([
    ['2', 2_125],
    ['Mon, 23 Nov 2026 12:00:07 GMT', 7_125],
    ['Mon, 23 Nov 2026 11:00:00 GMT', 125],
    ['soon', 187.5],
  ])('of %j is a wait of %d ms', async (header, ms) => {
    await getCaller({ client: server.will(refuse(429, 'too_many_requests', { 'retry-after': header }), answer({})).client() });
    expect(server.waits).toEqual([ms]);
  });

  it('beyond the longest wait ends the attempts, and the error has it', async () => {
    const client = server.will(refuse(429, 'too_many_requests', { 'retry-after': '31' })).client();
    expect(await caught(getCaller({ client }))).toMatchObject({ code: 'too_many_requests', retryAfterMs: 31_000 });
    expect(server.received).toHaveLength(1);
  });
});

describe('A repeated request', () => {
  it('is never a POST or PATCH without an Idempotency-Key of the contract', async () => {
    const client = server.will(hangUp).client();
    await caught(createFolder({ client, body: { label: 'Sites' } }));
    // The server does not know the header here, so it cannot help.
    await caught(createFolder({ client, body: { label: 'Sites' }, headers: { 'Idempotency-Key': 'mine' } }));
    await caught(updateForm({ client, path: { id: form }, body: {} }));
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH']);
  });

  it('may be a PUT or DELETE', async () => {
    const client = server.will(hangUp, answer({})).client();
    await saveFormDraft({ client, path: { id: form }, body: { revision: 0, fields: [] } });
    server.will(hangUp, answer({}));
    await trashForm({ client, path: { id: form } });
    expect(server.received.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('has the same Idempotency-Key and body as the first one', async () => {
    const client = server.will(hangUp, refuse(503, 'internal_error'), answer({ id: 's' })).client();
    await submitForm({ client, path: { form }, body: { data: { name: 'Ada' } } });
    expect(server.received.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"data":{"name":"Ada"}}'));
    const keys = new Set(server.received.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);

    await submitForm({ client, path: { form }, body: { data: {} } });
    expect(keys.has(server.received.at(-1)?.headers['idempotency-key'])).toBe(false);
  });

  it('has the Idempotency-Key of the caller', async () => {
    const client = server.will(hangUp, answer({ id: 's' })).client();
    await submitForm({ client, path: { form }, body: { data: {} }, headers: { 'Idempotency-Key': 'mine' } });
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
  });
});

describe('A time limit', () => {
  it('is that of each attempt', async () => {
    const client = server.will(stall, answer({ id: 'me' })).client({ timeoutMs: 50 });
    expect(await getCaller({ client })).toEqual({ id: 'me' });
  });

  it('includes the body of an answer', async () => {
    const client = server.will((_, response) => response.writeHead(200).write('{')).client({ timeoutMs: 50, retries: 0 });
    const error = await caught(getCaller({ client }));
    expect(error).toBeInstanceOf(SheafTimeoutError);
    expect(error).toBeInstanceOf(SheafConnectionError);
    expect(error).toMatchObject({ name: 'SheafTimeoutError', message: 'GET /api/v1/auth/me: no complete answer within 50 ms' });
  });

  it('may be none', async () => {
    const late: Step = (_, response) => void setTimeout(() => response.end('{}'), 50);
    expect(await getCaller({ client: server.will(late).client({ timeoutMs: Infinity, retries: 0 }) })).toEqual({});
  });

  it('can be that of a call', async () => {
    const client = server.will(stall).client({ retries: 0 });
    expect(await caught(getCaller({ client, timeoutMs: 40 }))).toMatchObject({
      message: expect.stringContaining('within 40 ms') as string,
    });
  });
});

describe('A signal', () => {
  it('ends an attempt with its own reason, and no other follows', async () => {
    const controller = new AbortController();
    const call = getCaller({ client: server.will(stall).client(), signal: controller.signal });
    setTimeout(() => controller.abort(new Error('no longer needed')), 20);
    await expect(call).rejects.toThrow('no longer needed');
    expect(server.received).toHaveLength(1);
  });

  it('ends the wait between two attempts', async () => {
    const controller = new AbortController();
    server.will(refuse(503, 'internal_error', { 'retry-after': '20' }));
    const client = createClient({ url: server.origin });
    setTimeout(() => controller.abort(new Error('no longer needed')), 60);
    await expect(getCaller({ client, signal: controller.signal })).rejects.toThrow('no longer needed');
    expect(server.received).toHaveLength(1);
  });

  it('that is aborted already lets no request out', async () => {
    const client = server.will(answer({})).client();
    await expect(getCaller({ client, signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
    expect(server.received).toEqual([]);
  });
});

it('A connection that cannot be made is an error with its reason', async () => {
  const stopped = await ScriptedServer.start();
  const { origin } = stopped;
  await stopped.stop();
  const error = await caught(getCaller({ client: createClient({ url: origin, retries: 0 }) }));
  expect(error).toBeInstanceOf(SheafConnectionError);
  expect(error).toMatchObject({ message: expect.stringMatching(/^GET \/api\/v1\/auth\/me: .*ECONNREFUSED/) as string });
  expect(error).toHaveProperty('cause.message', 'fetch failed');
});
