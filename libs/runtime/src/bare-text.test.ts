import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'sheaf-bare-'));
const bundle = join(folder, 'main.cjs');
beforeAll(() => {
  buildSync({
    stdin: {
      contents: `import { z } from 'zod'; import { ProcessConfig } from './config'; import { runApp } from './process';
        void runApp({ name: 'test', config: ProcessConfig, commands: {}, serve: async () => {
          console.error('E No address added out of %d', 2);
          process.emitWarning('a listener too many');
          new Buffer(1);
          setTimeout(() => { if (process.env.HOW === 'rejected') void Promise.reject(new Error('nobody waits')); else throw new Error('out of place'); });
        } });`,
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

it.each([
  ['thrown', 'out of place'],
  ['rejected', 'nobody waits'],
])('prints nothing but lines of the log when an exception is %s', async (how, message) => {
  const env = { ...process.env, HOW: how, HEALTH_PORT: '0', BIND_HOST: '127.0.0.1' };
  const ended = await promisify(execFile)(process.execPath, [bundle], { env, timeout: 60_000 }).catch(
    (error: unknown) => error as { stdout: string; stderr: string; code: number },
  );
  expect(ended).toMatchObject({ code: 1, stderr: '' });
  const lines = ended.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: 'error', service: 'test', said: 'E No address added out of 2' }),
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'a listener too many' }) as unknown }),
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ type: 'DeprecationWarning' }) as unknown }),
      expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message }) as unknown, msg: 'uncaught exception' }),
    ]),
  );
});
