import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildSync } from 'esbuild';

// More than any pipe can hold.
const length = 5_000_000;
const folder = mkdtempSync(join(tmpdir(), 'sheaf-end-'));
const bundle = join(folder, 'main.cjs');
beforeAll(() => {
  buildSync({
    stdin: {
      contents: `import { endProcess } from './end-process'; process.stdout.write('x'.repeat(${length})); void endProcess(3);`,
      resolveDir: __dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: bundle,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = () => spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'inherit'] });

it('gives a slow reader the whole answer', async () => {
  const child = start();
  const exited = once(child, 'exit');
  // The pipe is full before the reader starts.
  await once(child.stdout, 'readable');
  expect((await text(child.stdout)).length).toBe(length);
  expect(await exited).toEqual([3, null]);
});

it('does not wait for a reader that has gone', async () => {
  const child = start();
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(120_000) });
  await once(child.stdout, 'readable');
  child.stdout.destroy();
  expect(await exited).toEqual([3, null]);
});
