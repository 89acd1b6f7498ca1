import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lost, RecordedServer, refused } from './recorded-server';

let folder: string;
let server: RecordedServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-screens-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<p>The console</p>');
  writeFileSync(join(folder, 'assets/a.js'), 'a');
  server = await RecordedServer.start(folder);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => server.show({}));

const folders = (label: string) => ({
  data: [
    {
      id: '01900000-0000-7000-8000-000000000001',
      label,
      icon: '',
      color: '',
      sort_order: 0,
      role: 'owner',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    },
  ],
  total: 1,
  limit: 1,
  offset: 0,
});
const ask = (path: string, init: RequestInit = {}) => fetch(server.origin + path, init);

it('serves the page at each address of the console with its policy, and files at theirs', async () => {
  for (const path of ['/console', '/console/forms/a/build', '/invitations/token']) {
    const response = await ask(path);
    expect([response.status, await response.text()]).toEqual([200, '<p>The console</p>']);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  }
  expect(await (await ask('/console/assets/a.js')).text()).toBe('a');
  expect((await ask('/console/assets/gone.js')).status).toBe(404);
  expect(server.end()).toEqual([]);
});

it('gives the answer that names most of the request, with the documented status of success, and remembers what was sent', async () => {
  server.show({
    'GET /api/v1/folders': folders('All'),
    'GET /api/v1/folders?workspace_id=a': folders('Of one'),
    'POST /api/v1/folders': folders('New').data[0],
  });
  const labels = async (query: string) =>
    ((await (await ask(`/api/v1/folders${query}`)).json()) as ReturnType<typeof folders>).data[0]?.label;
  expect([await labels(''), await labels('?workspace_id=a'), await labels('?workspace_id=b')]).toEqual(['All', 'Of one', 'All']);
  const headers = { 'content-type': 'application/json' };
  expect((await ask('/api/v1/folders', { method: 'POST', headers, body: '{"label":"New"}' })).status).toBe(201);
  expect(server.sent('POST /api/v1/folders')).toEqual([{ label: 'New' }]);
  expect(server.end()).toEqual([]);
});

it.each([
  ['has no recorded answer', {}, 'GET /api/v1/folders has no recorded answer'],
  ['has a field that the API does not have', { 'GET /api/v1/folders': { ...folders('All'), more: 1 } }, 'unevaluated properties (more)'],
  ['lacks a field', { 'GET /api/v1/folders': { data: [] } }, "must have required property 'total'"],
  ['has a status that is not documented', { 'GET /api/v1/folders': refused(418, 'teapot', 'No.') }, 'documents only 200'],
])('counts an answer as a fault that %s', async (_what, answers, fault) => {
  server.show(answers);
  expect((await ask('/api/v1/folders')).status).toBe(501);
  expect(server.end()).toEqual([expect.stringContaining(fault)]);
});

it('refuses, breaks the connection, and holds an answer until it is let go', async () => {
  server.show({ 'GET /api/v1/folders': refused(401, 'authentication_required', 'Sign in.') });
  expect((await ask('/api/v1/folders')).status).toBe(401);
  server.set({ 'GET /api/v1/folders': lost });
  await expect(ask('/api/v1/folders')).rejects.toThrow('fetch failed');
  server.set({ 'GET /api/v1/folders': folders('All') });
  const release = server.hold('GET /api/v1/folders');
  let isAnswered = false;
  const answer = ask('/api/v1/folders').then(() => (isAnswered = true));
  // A request that is not held goes by.
  await ask('/console');
  expect(isAnswered).toBe(false);
  release();
  await answer;
  expect(server.end()).toEqual([]);
});

it('tells those who follow the events of changes', async () => {
  const { body } = await ask('/app/v1/events');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('event: reset');
  server.change({ kind: 'form', action: 'changed', form_id: 'a' });
  expect((await reader?.read())?.value).toContain('"form_id":"a"');
  server.end();
});
