import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

it('lets a process end even if its log has lost its reader', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-log-'));
  const bundle = join(folder, 'main.cjs');
  buildSync({
    stdin: {
      contents: `import { createLog } from './log'; const log = createLog('test', 'info'); log.info('up');
        process.on('disconnect', () => { for (let n = 0; n < 10; n++) log.info({ n }, 'going'); process.exit(7); });`,
      resolveDir: __dirname,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: bundle,
  });
  const child = spawn(process.execPath, [bundle], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  try {
    const [line] = (await once(child.stdout ?? process.stdin, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({
      level: 'info',
      service: 'test',
      msg: 'up',
      time: expect.stringMatching(/Z$/) as unknown,
    });
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(120_000) });
    child.stdout?.destroy();
    child.disconnect();
    expect(await exited).toEqual([7, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
