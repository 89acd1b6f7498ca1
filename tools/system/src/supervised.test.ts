import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from './service-process';
import { Supervised } from './supervised';

let folder: string;
let current: Supervised | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-supervised-'));
});
afterEach(async () => {
  await current?.stop();
  await rm(folder, { recursive: true, force: true });
});

const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let waited = 0; waited < 5_000; waited += 20) {
    if (await condition()) return;
    await sleep(20);
  }
  throw new Error('The condition was not met within 5 s.');
};

const supervise = async (code: string) => {
  const file = join(folder, 'service.cjs');
  await writeFile(file, code);
  const pidFile = join(folder, 'service.pid');
  const lines: string[] = [];
  const reports: string[] = [];
  const supervised = new Supervised({
    name: 'forms',
    pidFile,
    report: (_level, message) => reports.push(message),
    start: () =>
      startService({ file, env: { PATH: process.env.PATH }, cwd: folder, onLine: (line, level) => lines.push(`${level} ${line}`) }),
  });
  current = supervised;
  await supervised.start();
  const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => ''));
  return { supervised, pid, pidFile, lines, reports };
};

it('restarts a killed process, and stops it for good on request', async () => {
  const { supervised, pid, pidFile, reports } = await supervise(
    `setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0));`,
  );
  const first = await pid();
  process.kill(first, 'SIGKILL');
  await until(() => reports.length === 2);
  expect(await pid()).not.toBe(first);
  expect(reports).toEqual(['forms ended unexpectedly (by SIGKILL), restarting in 250 ms', 'forms was restarted']);

  await supervised.stop();
  expect(existsSync(pidFile)).toBe(false);
  await sleep(300);
  expect(existsSync(pidFile)).toBe(false);
});

it('passes on printed lines, and stops between two attempts', async () => {
  const { supervised, lines, reports } = await supervise(`console.log('out'); console.error('err'); process.exitCode = 7;`);
  await until(() => reports.length > 0 && lines.length > 1);

  expect(lines.sort()).toEqual(['error err', 'info out']);
  expect(reports[0]).toContain('(exit code 7)');
  await supervised.stop();
});

it('stops a group of processes at once', async () => {
  const { supervised, lines } = await supervise(
    `const { spawn } = require('node:child_process');
     console.log(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid); setInterval(() => {}, 1000);`,
  );
  await until(() => lines.length > 0);
  const grandchild = Number(lines[0]?.split(' ')[1]);

  supervised.kill();
  await until(() => {
    try {
      return !process.kill(grandchild, 0);
    } catch {
      return true;
    }
  });
});
