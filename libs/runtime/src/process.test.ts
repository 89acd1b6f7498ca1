import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';

// Two apps in one process: `one` calls `two`, and each does what its settings say.
const source = `
  import { z } from 'zod';
  import { asApp, runApps } from './process';
  import { ProcessConfig } from './config';
  const made = (name, more = {}) => asApp({
    name,
    config: ProcessConfig.extend({ ...more, DOES: z.enum(['serve', 'fail', 'throw']), SECRET: z.string().optional() }),
    async serve(process, config) {
      process.log.info({ secret: config.SECRET }, 'serving');
      if (config.DOES === 'fail') throw new Error('no disk');
      if (config.DOES === 'throw') setTimeout(() => { throw new Error('a bug'); }, 10);
      process.onStop('work', () => process.log.info('closed'));
    },
    commands: {},
  });
  void runApps('both', [made('two'), made('one', { TWO_ADDR: z.string() })]);
`;

let folder: string;
let bundle: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-process-'));
  bundle = join(folder, 'main.cjs');
  const stdin = { contents: source, resolveDir: __dirname, loader: 'ts' } as const;
  buildSync({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile: bundle, logLevel: 'silent' });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Line {
  service: string;
  msg: string;
  level: string;
  healthPort?: number;
  secret?: string;
}
let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

function start(env: NodeJS.ProcessEnv): { lines: Line[]; exited: Promise<unknown[]>; said: (msg: string, times: number) => Promise<void> } {
  child = spawn(process.execPath, [bundle], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      BIND_HOST: '127.0.0.1',
      HEALTH_PORT: '0',
      ONE__TWO_ADDR: 'x',
      ONE__DOES: 'serve',
      TWO__DOES: 'serve',
      ...env,
    },
  });
  const lines: Line[] = [];
  const heard = new EventTarget();
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(JSON.parse(line) as Line);
      heard.dispatchEvent(new Event('line'));
    });
  const exited = once(child, 'close');
  const said = async (msg: string, times: number) => {
    while (lines.filter((line) => line.msg === msg).length < times) await once(heard, 'line');
  };
  return { lines, exited, said };
}
const messages = (lines: Line[]) => lines.map(({ service, msg }) => `${service}: ${msg}`);

it('serves each app with its own settings, health and log lines', async () => {
  const { lines, said } = start({ ONE__SECRET: 'first', TWO__SECRET: 'second' });
  await said('ready', 2);
  expect(lines.filter(({ msg }) => msg === 'serving')).toEqual([
    expect.objectContaining({ service: 'two', secret: 'second' }),
    expect.objectContaining({ service: 'one', secret: 'first' }),
  ]);
  const ports = lines.flatMap(({ healthPort }) => healthPort ?? []);
  expect(new Set(ports).size).toBe(2);
  for (const port of ports) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
});

it('stops an app after those that call it', async () => {
  const { lines, exited, said } = start({});
  await said('ready', 2);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(messages(lines).slice(-4)).toEqual(['one: closed', 'one: stopped', 'two: closed', 'two: stopped']);
});

it('ends with 1 if one of its apps does not start', async () => {
  const { lines, exited } = start({ ONE__DOES: 'fail' });
  expect(await exited).toEqual([1, null]);
  expect(messages(lines.filter(({ level }) => level === 'fatal'))).toEqual(['one: could not start']);
});

it('ends with 1 if one of its apps throws where nobody catches it', async () => {
  const { lines, exited } = start({ TWO__DOES: 'throw' });
  expect(await exited).toEqual([1, null]);
  expect(messages(lines.filter(({ level }) => level === 'fatal'))).toEqual(['both: uncaught exception']);
});

it('names the app whose settings are not valid', async () => {
  const { lines, exited } = start({ TWO__DOES: 'dance' });
  expect(await exited).toEqual([1, null]);
  expect(lines.map(({ msg }) => msg)).toEqual([expect.stringMatching(/^two: The configuration is not valid:\n {2}DOES: /)]);
});
