import { connect as connectTo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyone, asOwner } from '../support/people';

const error = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) as unknown } } });

describe('the gateway', () => {
  it('knows no other paths', async () => {
    expect(await asOwner.offTheMap.get('/api/v1/nonsense')).toMatchObject(error(404, 'not_found'));
    expect(await anyone.offTheMap.get('/')).toMatchObject(error(404, 'not_found'));
    expect(await asOwner.get('/api/v1/forms/%E0%A4%A')).toMatchObject(error(404, 'not_found'));
  });

  it('says which methods a path knows, before it asks who is calling', async () => {
    const reply = await anyone.offTheMap.put('/api/v1/forms', {});
    expect(reply).toMatchObject(error(404, 'not_found'));
    expect(reply.headers.get('allow')).toBe('GET, POST');
  });

  it.each([
    ['is no JSON', '{"title":', 'application/json', 'The body is not valid JSON.'],
    ['is no object', '["title"]', 'application/json', 'The body must be a JSON object.'],
    ['is of another type', 'title=x', 'application/x-www-form-urlencoded', 'Content-Type: must be application/json'],
    ['has a field of the wrong type', '{"title": 5}', 'application/json', 'title: must be a string'],
    ['has a title that is too long', JSON.stringify({ title: 'x'.repeat(201) }), 'application/json', 'title: must have at most 200 characters'],
    ['has NUL in a text', '{"title": "a\\u0000b"}', 'application/json', 'title: must be well-formed Unicode without NUL'],
  ])('refuses a body that %s', async (_, body, type, message) => {
    expect(await asOwner.send('POST', '/api/v1/forms', body, { 'content-type': type })).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
  });

  it('refuses a body that is too large, and takes one just below', async () => {
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
  ])('refuses the query %s and names the bound', async (query, message) => {
    expect(await asOwner.get(`/api/v1/forms?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
  });

  it('gives every answer a request id, and keeps one that it was given', async () => {
    expect((await asOwner.get('/api/v1/auth/me')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const given = await asOwner.send('GET', '/api/v1/auth/me', undefined, { 'x-request-id': 'trace-7' });
    expect(given.headers.get('x-request-id')).toBe('trace-7');
  });

  it('answers in its own shape even to what is no HTTP', async () => {
    const { hostname, port } = new URL(anyone.origin);
    const socket = connectTo(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write('NONSENSE\r\n\r\n');
    for (let waited = 0; !answer.includes('}}') && waited < 5_000; waited += 20) await sleep(20);
    socket.destroy();
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('{"error":{"code":"bad_request"');
  });
});
