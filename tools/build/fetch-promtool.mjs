// Prints the folder of a promtool, for tests of the alerts: that of Debian's package prometheus, kept in our cache. No npm package has one.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, fail } from './fetch-binary.mjs';

const folder = join(cacheFolder(), 'promtool-debian');
if (process.platform !== 'linux') fail('promtool is fetched from Debian packages only: put one on PATH to test the alerts.');
if (!runs()) fetch();
if (!runs()) fail(`${join(folder, 'promtool')} does not run here.`);
console.log(folder);

function runs() {
  return spawnSync(join(folder, 'promtool'), ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** Downloads the signed package with our own lists and cache, because apt's belong to root, and moves the program into place in one step. */
function fetch() {
  console.error('Fetching promtool from the Debian package prometheus …');
  mkdirSync(cacheFolder(), { recursive: true });
  const tempDir = mkdtempSync(join(cacheFolder(), 'fetch-'));
  try {
    const lists = join(tempDir, 'lists');
    mkdirSync(join(lists, 'partial'), { recursive: true });
    mkdirSync(join(tempDir, 'cache/archives/partial'), { recursive: true });
    const settings = {
      'Dir::State::Lists': lists,
      'Dir::Cache': join(tempDir, 'cache'),
      // As root, apt would download as a user that cannot access our folder.
      'APT::Sandbox::User': '',
      'Acquire::Languages': 'none',
      'Acquire::Retries': '1',
      'Acquire::http::Timeout': '10',
      'Acquire::https::Timeout': '10',
    };
    const apt = ['--quiet=2', ...Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])];
    run('apt-get', [...apt, 'update'], tempDir);
    run('apt-get', [...apt, 'download', 'prometheus'], tempDir);
    const archive = readdirSync(tempDir).find((name) => name.endsWith('.deb')) ?? fail('apt-get downloaded nothing.');
    run('dpkg-deb', ['-x', archive, 'unpacked'], tempDir);
    // The package also has the server and its pages.
    const own = join(tempDir, 'promtool');
    mkdirSync(own);
    copyFileSync(join(tempDir, 'unpacked/usr/bin/promtool'), join(own, 'promtool'));
    rmSync(folder, { recursive: true, force: true });
    renameSync(own, folder);
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2], timeout: 120_000 });
  if (status !== 0) fail(`${command} failed${error ? `: ${error.message}` : ', see above'}.`);
}
