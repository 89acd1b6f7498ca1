import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SampleForm } from './sample-form';

/** The API in so far as the launcher calls it. */
let forms: { id: string; title: string; slug?: string; current_version: number; revision: number; fields?: unknown }[];
let server: Server;
let folder: string;
let access: { origin: string; apiKey: string; signal: AbortSignal };
/** Called before each request; may break it off. */
let onRequest: (count: number) => number | 'broken' | undefined;
let count: number;

const answer = (method: string, path: string, body: Record<string, unknown>): unknown => {
  const form = forms.find(({ id }) => path.includes(id));
  if (path === '/api/v1/forms?limit=100') return { data: forms };
  if (path === '/api/v1/forms')
    return forms[forms.push({ id: `form-${forms.length}`, title: String(body.title), current_version: 0, revision: 0 }) - 1];
  if (!form) throw new Error(`${method} ${path}`);
  if (path.endsWith('/publish')) form.current_version += 1;
  else if (path.endsWith('/draft') && method === 'PUT') Object.assign(form, { fields: body.fields, revision: form.revision + 1 });
  else if (method === 'PATCH' && path.startsWith('/api/')) Object.assign(form, body);
  return form;
};

beforeEach(async () => {
  forms = [];
  count = 0;
  onRequest = () => undefined;
  folder = await mkdtemp(join(tmpdir(), 'sheaf-sample-'));
  server = createServer((request, response) => {
    const fault = onRequest(++count);
    if (fault === 'broken') return request.socket.destroy();
    if (request.url?.startsWith('/f/') === true)
      return response.writeHead(forms.some(({ slug }) => `/f/${slug ?? ''}` === request.url) ? 200 : 404).end();
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (fault !== undefined) return response.writeHead(fault).end('{}');
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      response.end(JSON.stringify(answer(request.method ?? '', request.url ?? '', body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  access = { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key', signal: new AbortController().signal };
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await rm(folder, { recursive: true });
});

const file = () => join(folder, 'sample-form.json');
const sample = () => new SampleForm(file());
const state = async () => (JSON.parse(await readFile(file(), 'utf8')) as { state: string }).state;
const complete = [expect.objectContaining({ title: 'Workshop feedback', slug: 'workshop-feedback', current_version: 1 }) as unknown];

it('is created once, published and at an address of its own', async () => {
  await sample().plan();
  await sample().create(access);
  expect(forms).toEqual(complete);
  expect(forms[0]?.fields).toHaveLength(10);
  expect(await sample().address(access)).toBe(`${access.origin}/f/workshop-feedback`);

  const before = count;
  await sample().create(access);
  expect(count).toBe(before);
});

it('is not created in a system that did not plan it, such as one from an older version', async () => {
  await sample().create(access);
  expect(await sample().address(access)).toBeUndefined();
  expect({ forms, count }).toEqual({ forms: [], count: 0 });
});

it('is the same one if the start was interrupted at any moment', async () => {
  for (let last = 1; ; last++) {
    forms = [];
    count = 0;
    await sample().plan();
    const stopping = new AbortController();
    onRequest = (at) => {
      if (at === last) stopping.abort();
      return undefined;
    };
    const interrupted = await sample()
      .create({ ...access, signal: stopping.signal })
      .then(
        () => false,
        () => true,
      );
    if (!interrupted) break;
    expect(await state()).toBe('planned');
    await sample().create(access);
    expect(forms).toEqual(complete);
    expect(last).toBeLessThan(20);
  }
  expect(count).toBeGreaterThan(5);
});

it('waits for processes that have not found each other yet', async () => {
  await sample().plan();
  onRequest = (at) => (at <= 2 ? 503 : undefined);
  await sample().create(access);
  expect(forms).toEqual(complete);
});

it.each([400, 'broken'] as const)('is given up if it cannot be created: %s', async (fault) => {
  await sample().plan();
  onRequest = () => fault;
  await expect(sample().create(access)).rejects.toThrow();
  expect(await state()).toBe('failed');
  await sample().create(access);
  expect(await sample().address(access)).toBeUndefined();
  expect(count).toBe(1);
});

it('has no address any more once it is gone', async () => {
  await sample().plan();
  await sample().create(access);
  forms = [];
  expect(await sample().address(access)).toBeUndefined();
});
