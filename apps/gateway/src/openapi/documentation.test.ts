import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import express from 'express';
import { documentation } from './documentation';

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer(
    express()
      .disable('etag')
      .use(documentation([], dirname(require.resolve('swagger-ui-dist/package.json')))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const get = (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers, signal: AbortSignal.timeout(120_000) });

it('serves all assets of its page, and lets browsers load nothing else', async () => {
  const page = await get('/docs');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).not.toMatch(/https?:|\*/);

  const html = await page.text();
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
  expect(parts).toHaveLength(5);
  for (const part of parts) expect(await get(part)).toMatchObject({ status: 200 });
});

it.each(['/docs', '/docs/start.js', '/docs/swagger-ui-bundle.js', '/api/v1/openapi.json'])(
  'sends %s again only if it has changed',
  async (path) => {
    const first = await get(path);
    expect(first.headers.get('cache-control')).toMatch(/^(no-cache|public, max-age=3600)$/);
    await first.arrayBuffer();
    expect(await get(path, { 'if-none-match': first.headers.get('etag') ?? '' })).toMatchObject({ status: 304 });
  },
);

it('compresses large assets for clients that accept gzip', async () => {
  const { headers } = await get('/docs/swagger-ui-bundle.js', { 'accept-encoding': 'gzip' });
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
  expect((await get('/docs/swagger-ui-bundle.js', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
});
