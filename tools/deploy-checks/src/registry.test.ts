import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apps } from '@sheaf/kernel';
import { root } from './manifests';

/** Answers as a registry does: first with a challenge, then, given a token from its token server, with the manifest. */
let server: Server;
let host: string;
/** The images that the registry has, by `path:tag`. */
let pushed: Set<string>;
let isBroken: boolean;
beforeEach(async () => {
  pushed = new Set();
  isBroken = false;
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', `http://${host}`);
    if (url.pathname === '/token') {
      const isReader = request.headers.authorization === `Basic ${Buffer.from('reader:secret').toString('base64')}`;
      response.writeHead(isReader ? 200 : 401).end(JSON.stringify({ token: `for ${url.searchParams.get('scope') ?? ''}` }));
      return;
    }
    const [, path = '', tag = ''] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(url.pathname) ?? [];
    const scope = `repository:${path}:pull`;
    if (isBroken) response.writeHead(503);
    else if (request.headers.authorization !== `Bearer for ${scope}`)
      response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${host}/token",service="registry",scope="${scope}"` });
    else response.writeHead(pushed.has(`${path}:${tag}`) ? 200 : 404);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
);

const run = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [join(root, 'deploy/images.mjs'), ...args], {
    env: { REGISTRY: `${host}/team`, REGISTRY_USER: 'reader', REGISTRY_PASSWORD: 'secret', ...env },
    timeout: 240_000,
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout.trim() }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: (stdout + stderr).trim() };
    },
  );
const images = [...apps, 'all'];
const versionOf = (image: string) =>
  image === 'all' ? (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version : versionOfApp(image);
const versionOfApp = (app: string) =>
  /newTag: (\S+)/.exec(readFileSync(join(root, `deploy/services/${app}/version/kustomization.yaml`), 'utf8'))?.[1] ?? '';

it('the images to release are those whose version is missing from the registry', async () => {
  expect(await run(['unreleased'])).toEqual({ code: 0, output: images.join(' ') });
  for (const image of images) pushed.add(`team/sheaf/${image}:${versionOf(image)}`);
  pushed.delete(`team/sheaf/hooks:${versionOf('hooks')}`);
  pushed.add('team/sheaf/hooks:0.0.9');
  expect(await run(['unreleased'])).toEqual({ code: 0, output: 'hooks' });
  expect(await run(['unreleased', 'forms'])).toEqual({ code: 0, output: '' });
});

it.each(['push', 'join'])('a version that exists is not pushed again, nor are the others of the same run (%s)', async (command) => {
  pushed.add(`team/sheaf/forms:${versionOf('forms')}`);
  const { code, output } = await run([command, '--digests', 'digests', 'hooks', 'forms']);
  expect(code).toBe(1);
  expect(output).toBe(
    `${host}/team/sheaf/forms:${versionOf('forms')}: already pushed and possibly in use. Raise the version: docs/releasing.md.`,
  );
});

it.each([
  [
    'answers with an unexpected status',
    {},
    () => {
      isBroken = true;
    },
    /answered 503/,
  ],
  ['refuses the login', { REGISTRY_PASSWORD: 'wrong' }, () => undefined, /answered 401 to a request for a token/],
  ['is the placeholder', { REGISTRY: '' }, () => undefined, /registry\.example\.org is a placeholder/],
] as [string, Record<string, string>, () => void, RegExp][])(
  'no version counts as missing when the registry %s',
  async (_what, env, broken, message) => {
    broken();
    for (const command of ['unreleased', 'push', 'join']) {
      const { code, output } = await run([command, '--digests', 'digests', 'forms'], env);
      expect(code).toBeGreaterThan(0);
      expect(output).toMatch(message);
    }
  },
);

it('the registry may also accept basic authentication or anonymous reads', async () => {
  let expected: string | undefined = `Basic ${Buffer.from('reader:secret').toString('base64')}`;
  const simple = createServer((request, response) => {
    if (request.headers.authorization === expected) response.writeHead(200);
    else response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' });
    response.end();
  });
  await new Promise<void>((resolve) => simple.listen(0, '127.0.0.1', resolve));
  const registry = `127.0.0.1:${(simple.address() as AddressInfo).port}`;
  expect(await run(['unreleased', 'forms'], { REGISTRY: registry })).toEqual({ code: 0, output: '' });
  expected = undefined;
  expect(await run(['unreleased', 'forms'], { REGISTRY: registry, REGISTRY_USER: '' })).toEqual({ code: 0, output: '' });
  await new Promise((resolve) => simple.close(resolve));
});
