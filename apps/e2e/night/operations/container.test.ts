import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from '@sheaf/embedded';
import { eventually } from '@sheaf/testing';

// The program of the one container's image, run without a container engine: the folder that its recipe builds, with the recipe's variables.
const root = join(__dirname, '../../../..');
const recipe = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const stage = recipe.slice(recipe.indexOf('FROM ${NODE_IMAGE} AS all'), recipe.indexOf('FROM scratch'));
const variables = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(stage)?.[1] ?? '').matchAll(/(?<![A-Z_])([A-Z_]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name = '', quoted, plain]) => [
    name,
    quoted ?? plain,
  ]),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-container-'));
  execFileSync(process.execPath, [join(root, 'tools/build/container.mjs'), join(folder, 'sheaf')], { stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true }));

const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((file) => ({ file, changed: statSync(join(path, file)).mtimeMs }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));

it('the container starts from what is in its image, prints the link of the owner, is healthy, and writes to its volume only', async () => {
  expect(variables).toMatchObject({ PROCESSES: 'one', DATA_DIR: '/data' });
  expect(/^ENTRYPOINT (.*)$/m.exec(stage)?.[1]).toBe('["node", "/sheaf/dist/tools/system/main.cjs"]');
  const before = filesOf(join(folder, 'sheaf'));
  const dataDir = join(folder, 'data');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ...variables,
    NATS_SERVER: await findNatsServer({ onProgress: () => undefined }),
    DATA_DIR: dataDir,
    PORT: '0',
    BIND_HOST: '127.0.0.1',
  };
  const child = spawn(process.execPath, [join(folder, 'sheaf/dist/tools/system/main.cjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(() => expect(said).toContain('Sheaf is ready.'));
    expect(said).toMatch(/Open this link to sign in \(works once, for 24 hours\): http:\/\/localhost:\d+\/console\/sign-in#link=/);
    expect(said).not.toContain('npm ');
    execFileSync(process.execPath, [join(folder, 'sheaf/dist/tools/sheaf/main.cjs'), 'health'], { env, stdio: 'pipe' });

    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(filesOf(join(folder, 'sheaf'))).toEqual(before);
  } finally {
    child.kill('SIGKILL');
  }
});
