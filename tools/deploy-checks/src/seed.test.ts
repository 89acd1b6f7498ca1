import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { generate } from 'selfsigned';
import { root } from './manifests';

// The chart's job for the first owner, against an API that keeps secrets, and an app that answers like `workspaces`.
let folder: string;
let server: Server;
let secrets: Map<string, Record<string, string>>;
/** The API's failure at the next secret, if it does not do what it is asked for. */
let nextStatus: number | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-seed-'));
  secrets = new Map();
  nextStatus = undefined;
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  for (const [name, content] of [
    ['ca.crt', cert],
    ['token', 'the token'],
    ['namespace', 'sheaf'],
  ] as const)
    writeFileSync(join(folder, name), content);
  writeFileSync(
    join(folder, 'app.cjs'),
    `const { existsSync, writeFileSync } = require('node:fs');
    const [command, ...rest] = process.argv.slice(2);
    const option = (name) => rest[rest.indexOf(name) + 1];
    const instance = ${JSON.stringify(join(folder, 'instance'))};
    if (command === 'seed' && !existsSync(instance)) {
      writeFileSync(option('--credentials'), '{"password":"test"}');
      writeFileSync(instance, '');
    }
    if (command === 'create-sign-in-link') writeFileSync(option('--output'), JSON.stringify({ sign_in_url: option('--base-url') + '#link' }));`,
  );
  server = createServer({ key, cert }, (request, response) => {
    const isOurs =
      request.headers.authorization === 'Bearer the token' && request.url?.startsWith('/api/v1/namespaces/sheaf/secrets') === true;
    void text(request).then((body) => {
      const status =
        nextStatus ?? (!isOurs ? 403 : request.method === 'POST' ? 201 : secrets.has(request.url?.split('/').at(-1) ?? '') ? 200 : 404);
      if (status === 201) {
        const { metadata, stringData } = JSON.parse(body) as { metadata: { name: string }; stringData: Record<string, string> };
        secrets.set(metadata.name, stringData);
      }
      response.writeHead(status).end('{}');
      if (request.method === 'POST') nextStatus = undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function seed(): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [join(root, 'deploy/chart/files/seed.cjs')], {
    env: {
      BASE_URL: 'https://forms.example.org/api/v1',
      KUBERNETES_SERVICE_HOST: 'localhost',
      KUBERNETES_SERVICE_PORT: String((server.address() as AddressInfo).port),
      ACCOUNT: folder,
      APP: join(folder, 'app.cjs'),
    },
  });
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: output + errors };
}

it('the job for the first owner writes a link to sign in into a secret, once, and shows it nowhere', async () => {
  const first = await seed();
  expect(first).toMatchObject({ code: 0 });
  expect(first.output).not.toContain('#link');
  expect(secrets.get('sheaf-owner')).toEqual({
    'sign-in-url': 'https://forms.example.org/api/v1#link',
    'owner.json': '{"password":"test"}',
  });
  secrets.set('sheaf-owner', { 'sign-in-url': 'unchanged' });
  expect(await seed()).toMatchObject({ code: 0, output: expect.stringContaining('nothing to do') as unknown });
  expect(secrets.get('sheaf-owner')).toEqual({ 'sign-in-url': 'unchanged' });
});

it('a job that stopped after it had created the instance leaves a link when it runs again', async () => {
  writeFileSync(join(folder, 'instance'), '');
  expect(await seed()).toMatchObject({ code: 0 });
  expect(secrets.get('sheaf-owner')).toEqual({ 'sign-in-url': 'https://forms.example.org/api/v1#link' });
});

it('a job without the right to its secret fails before it creates anything', async () => {
  nextStatus = 403;
  expect(await seed()).toMatchObject({ code: 1, output: expect.stringContaining('the API answered 403') as unknown });
  expect(existsSync(join(folder, 'instance'))).toBe(false);
  expect(readFileSync(join(folder, 'token'), 'utf8')).toBe('the token');
});
