import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Problem, type Caller } from '@sheaf/kernel';
import { eventually, signTestCaller, testProcess, verifyTestCaller } from '@sheaf/testing';
import { Router, type Request, type Response } from 'express';
import { application } from './application';
import { consoleRouter } from './console';
import { askedOf, type Asked } from './asked';
import { readAssets } from './assets';
import type { FormPages } from './form/pages';
import { sendHtml } from './html';

/** A console as the build leaves it: a page, and files under names with a hash. */
async function aConsole(parent: string): Promise<string> {
  const built = join(parent, 'console');
  await mkdir(join(built, 'assets'), { recursive: true });
  await writeFile(join(built, 'index.html'), '<!doctype html><title>Console</title>');
  await writeFile(join(built, 'assets/index-1.js'), 'start();');
  return built;
}

let server: Server;
let folder: string;
const process = testProcess('pages');
const arrived: Asked[] = [];
let handle: (request: Request, response: Response) => unknown;

const router = Router();
router.all('/f/:form', async (request, response) => {
  arrived.push(askedOf(response));
  await handle(request, response);
});
const form: FormPages = {
  router,
  answerProblem: (problem, _request, response) => response.status(problem.code === 'not_found' ? 404 : 503).send(`page of ${problem.code}`),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-assets-'));
  const files = { 'form.css': 'form.1.css', 'embed.js': 'embed.2.js', 'icon.svg': 'icon.3.svg' };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(files));
  for (const name of Object.values(files)) await writeFile(join(folder, name), `content of ${name} `.repeat(100));
  const settings = { verify: verifyTestCaller('pages'), REQUEST_TIMEOUT_MS: 1_000 };
  server = createServer(
    application({ process, settings, assets: readAssets(folder), form, console: consoleRouter(await aConsole(folder)) }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  arrived.length = 0;
  handle = (_request, response) => response.send('a page');
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await rm(folder, { recursive: true });
});

const respondent: Caller = { kind: 'respondent', instanceId: 'i' };
const fromGateway = (headers: Record<string, string> = {}) => ({
  'x-sheaf-caller': signTestCaller(respondent, 'pages'),
  'x-request-id': 'r-1',
  'x-client-address': '10.1.2.3',
  'x-forwarded-proto': 'https',
  'x-sheaf-deadline': String(Date.now() + 60_000),
  host: 'forms.example:8443',
  ...headers,
});

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
}
const ask = (
  path: string,
  headers: Record<string, string> = fromGateway(),
  { method = 'GET', body }: { method?: string; body?: string } = {},
) =>
  new Promise<Reply>((resolve, reject) => {
    const outgoing = send({ port: (server.address() as AddressInfo).port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

describe('pages serve only the gateway', () => {
  it.each([
    ['without a token', undefined],
    ['with a token that nobody signed', 'forged'],
    ['with a token for another service', signTestCaller(respondent, 'forms')],
    [
      'with a token of a person',
      signTestCaller({ kind: 'user', id: 'u', instanceId: 'i', roles: {}, via: 'session', credentialId: 'c' }, 'pages'),
    ],
    ['with a token of a process', signTestCaller({ kind: 'service', id: 'gateway' }, 'pages')],
  ])('and refuse a request %s, whatever its path', async (_, token) => {
    const { 'x-sheaf-caller': _own, ...others } = fromGateway();
    for (const path of ['/', '/f/x', '/assets/form.1.css', '/embed.js', '/nothing']) {
      const reply = await ask(path, { ...others, ...(token === undefined ? {} : { 'x-sheaf-caller': token }) });
      expect(reply).toMatchObject({ status: 401, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } });
    }
    expect(arrived).toEqual([]);
  });
});

describe('a page learns from the gateway', () => {
  it('the instance, the address in the browser, and what its calls to services carry', async () => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const headers = fromGateway({ traceparent: trace });
    await ask('/f/x', headers);
    expect(arrived).toMatchObject([
      {
        instanceId: 'i',
        origin: 'https://forms.example:8443',
        call: { token: headers['x-sheaf-caller'], requestId: 'r-1', address: '10.1.2.3', trace },
      },
    ]);
  });

  it('how long its calls may take: until the gateway gives up, and no longer than it may wait itself', async () => {
    const now = Date.now();
    await ask('/f/x', fromGateway({ 'x-sheaf-deadline': String(now + 300) }));
    await ask('/f/x');
    expect(arrived[0]?.call.deadline).toBe(now + 300);
    expect(arrived[1]?.call.deadline).toBeGreaterThanOrEqual(now + 1_000);
    expect(arrived[1]?.call.deadline).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('that the time of a POST counts from its end, and files may take longer', async () => {
    const begun = Date.now();
    let now = begun;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    const deadlines: number[] = [];
    handle = async (request, response) => {
      const asked = askedOf(response);
      now += 500;
      await new Promise((resolve) => request.resume().once('end', resolve));
      now += 30;
      deadlines.push(asked.call.deadline - begun, asked.uploadCall.deadline - begun);
      response.end();
    };
    await ask('/f/x', fromGateway(), { method: 'POST', body: 'x' }).finally(() => clock.mockRestore());
    expect(deadlines).toEqual([1_500, 60_000]);
    await eventually(() => expect(arrived[0]?.uploadCall.signal?.aborted).toBe(true));
  });
});

describe('every response', () => {
  it('forbids what a page does not need', async () => {
    for (const path of ['/', '/f/x', '/nothing']) {
      expect((await ask(path)).headers).toMatchObject({
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'self'; .*frame-ancestors 'none'$/) as string,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    }
  });

  it('to an unknown path, and to what a page throws, is the page that says so', async () => {
    expect(await ask('/f/%E0%A4%A')).toMatchObject({ status: 404, bytes: Buffer.from('page of not_found') });
    expect(await ask('/nothing')).toMatchObject({ status: 404, bytes: Buffer.from('page of not_found') });
    handle = () => Promise.reject(Problem.unavailable());
    expect(await ask('/f/x')).toMatchObject({ status: 503, bytes: Buffer.from('page of unavailable') });
    handle = () => Promise.reject(new Error('a fault of ours'));
    expect(await ask('/f/x')).toMatchObject({ status: 503, bytes: Buffer.from('page of internal_error') });
  });

  it('is compressed for a client that accepts it, unless it is short', async () => {
    const html = '<p>a long page</p>'.repeat(500);
    handle = (_request, response) => sendHtml(response, 200, html);
    expect((await ask('/f/x')).bytes.toString()).toBe(html);
    const compressed = await ask('/f/x', fromGateway({ 'accept-encoding': 'br, gzip' }));
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
      'content-length': String(compressed.bytes.length),
    });
    expect(gunzipSync(compressed.bytes).toString()).toBe(html);
    handle = (_request, response) => sendHtml(response, 200, '<p>short</p>');
    expect((await ask('/f/x', fromGateway({ 'accept-encoding': 'gzip' }))).bytes.toString()).toBe('<p>short</p>');
  });

  it('is measured by its route', async () => {
    await ask('/f/x');
    expect(await process.metrics.metrics()).toMatch(/sheaf_page_duration_seconds_count\{method="GET",route="\/f\/:form",status="200"\} \d/);
  });
});

describe('the front page', () => {
  it('says what Sheaf is, leads to the documentation, and loads nothing but our style', async () => {
    const { status, headers, bytes } = await ask('/');
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    const html = bytes.toString();
    expect(html).toContain('<html lang="en">');
    expect(html).toContain('<h1>Sheaf</h1>');
    expect(html).toContain('href="/docs"');
    expect(html).toContain('<link rel="stylesheet" href="/assets/form.1.css">');
    expect(html).toContain('<link rel="icon" type="image/svg+xml" href="/assets/icon.3.svg">');
    expect(html).not.toMatch(/<script|style=|https?:/);
  });
});

describe('a file', () => {
  it('has a name with its hash, and may be kept for a year', async () => {
    const reply = await ask('/assets/form.1.css');
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect(reply.bytes.toString()).toMatch(/^content of form\.1\.css/);
    const compressed = await ask('/assets/form.1.css', fromGateway({ 'accept-encoding': 'gzip' }));
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(compressed.bytes)).toEqual(reply.bytes);
  });

  it.each(['/assets/form.css', '/assets/', '/assets/manifest.json', '/assets/..%2fmain.cjs', '/assets/../main.cjs'])(
    'is none that the build did not list: %s',
    async (path) => expect(await ask(path)).toMatchObject({ status: 404 }),
  );

  it('for other sites, embed.js, keeps its address: it is kept for minutes, and then compared', async () => {
    const first = await ask('/embed.js');
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'cross-origin-resource-policy': 'cross-origin',
      },
    });
    const again = await ask('/embed.js', fromGateway({ 'if-none-match': String(first.headers.etag) }));
    expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
  });
});

describe('The console', () => {
  it.each(['/console', '/console/', '/console/forms', '/console/forms/x/submissions?status=new', '/invitations/a-token'])(
    'is one page, whatever its address: %s',
    async (path) => {
      const reply = await ask(path);
      expect(reply).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' } });
      expect(reply.headers['referrer-policy']).toBe('no-referrer');
      expect(reply.bytes.toString()).toContain('<title>Console</title>');
    },
  );

  it('runs and loads nothing from elsewhere, and nothing inline', async () => {
    const { headers } = await ask('/console');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('has files that may be kept for a year', async () =>
    expect(await ask('/console/assets/index-1.js')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
    }));

  it.each([
    '/console/assets/index-0.js',
    '/console/assets/',
    '/console/assets/..%2findex.html',
    '/consoles',
    '/invitations/',
    '/invitations/a/b',
  ])('answers an address that leads to none of its files with 404: %s', async (path) =>
    expect(await ask(path)).toMatchObject({ status: 404 }),
  );
});
