// The first step of every command: checks that the installed dependencies match the lock file. Imports nothing from node_modules,
// which may not exist yet.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns once dependencies are installed; exits with a clear message if that is impossible. */
export async function bootstrap() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) exitWith(`Sheaf needs Node 20.19 or newer; this is ${process.versions.node}.`);

  await installIfChanged(root, installAll);
}

/**
 * Installs what a folder's lock file names, if the file or the platform has changed since. Native parts use Node-API, so any Node version fits.
 * @param {string} folder
 * @param {() => Promise<void>} install throws, or exits, if it fails
 */
export async function installIfChanged(folder, install) {
  const stampFile = join(folder, 'node_modules/.sheaf-stamp');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const stamp = createHash('sha256').update(lock).update(`${process.platform} ${process.arch}`).digest('hex');
  if (readIfExists(stampFile) === stamp) return;
  await install();
  writeFileSync(stampFile, stamp);
}

async function installAll() {
  // On standard error, here and below: programs may read a command's standard output.
  console.error('Installing dependencies (npm ci) …');
  // Inside an npm script, use the same npm that runs the script.
  const runningNpm = process.env.npm_execpath ?? '';
  const [file, ...args] = basename(runningNpm).startsWith('npm') ? [process.execPath, runningNpm] : ['npm'];
  // Includes dev dependencies even with NODE_ENV=production, where npm would omit the build and test tools. Prints errors only: some tools state a
  // newer Node than they need, which a newcomer cannot know.
  const code = await run(file, [...args, 'ci', '--include=dev', '--include=optional', '--loglevel=error'], { timeoutMs: 900_000 });
  if (code !== 0) exitWith('npm ci failed, see above.');
}

/**
 * Runs Nx and waits for it to end.
 * @param {string[]} args
 * @param {{ quiet?: boolean, onOutput?: (text: string) => void, timeoutMs?: number }} [options] quiet: shows the output only if it fails;
 *   onOutput: gets all of it
 * @returns {Promise<number>} the exit code
 */
export async function runNx(args, { quiet = false, onOutput, timeoutMs = 3_600_000 } = {}) {
  const env = {
    ...process.env,
    NX_DAEMON: 'false',
    NX_NO_CLOUD: 'true',
    NX_TUI: 'false',
    NX_INTERACTIVE: 'false',
    NX_ISOLATE_PLUGINS: 'false',
  };
  const nx = join(root, 'node_modules/nx');
  const { bin } = JSON.parse(readFileSync(join(nx, 'package.json'), 'utf8'));
  // If it goes through a pipe on its way to a terminal, Nx would leave out the colours.
  if (onOutput && process.stderr.isTTY) env.FORCE_COLOR ??= '1';
  return run(process.execPath, [join(nx, bin.nx), ...args], { env, quiet, onOutput, timeoutMs });
}

/**
 * Builds the bundles of these projects; reports the error and exits if that fails.
 * @param {string[]} projects
 * @param {{ silent?: boolean }} [options] silent: prints nothing if the build is quick
 */
export async function build(projects, { silent = false } = {}) {
  const since = performance.now();
  const slow = setTimeout(() => console.error('Building …'), 3_000);
  const code = await runNx(['run-many', '-t', 'build', '-p', projects.join(','), '--output-style=static'], { quiet: true });
  clearTimeout(slow);
  if (code !== 0) exitWith('The build failed, see above.');
  if (!silent) console.error(`Built in ${((performance.now() - since) / 1000).toFixed(1)} s.`);
}

/** @param {string} message */
export function exitWith(message) {
  console.error(message);
  process.exit(1);
}

/** Resolves with the exit code. Passes termination signals on to the child, so that it is not left running. */
function run(file, args, { quiet = false, onOutput, timeoutMs, ...options }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: quiet || onOutput ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2], ...options });
    const output = [];
    const take = (text) => {
      if (quiet) output.push(text);
      else process.stderr.write(text);
      onOutput?.(text);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);

    let interrupted = false;
    const forward = (signal) => {
      interrupted = true;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, forward);
    const timer = setTimeout(() => {
      console.error(`Stopped: did not finish within ${timeoutMs / 60_000} minutes.`);
      child.kill('SIGTERM');
    }, timeoutMs);

    const done = (code) => {
      clearTimeout(timer);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward);
      // After a termination signal, do not go on to the next step.
      if (interrupted) process.exit(130);
      if (quiet && code !== 0) process.stderr.write(output.join(''));
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(`${file}: ${error.message}`);
      done(1);
    });
    child.once('close', (code) => done(code ?? 1));
  });
}

function readIfExists(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
