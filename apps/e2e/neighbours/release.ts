import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { appsOf } from '../support/cluster';

const run = promisify(execFile);

/** A built version of Sheaf, in a folder with its manifests and `dist`. */
export interface Release {
  name: string;
  folder: string;
}

/**
 * The version that is deployed everywhere: the newest release before this commit, which may be one itself; while there is none, the commit that
 * last changed deploy/compatibility/accepted.json.
 * @returns a tag or a commit; empty if there is neither
 */
export function newestRelease(repository: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^');
  } catch {
    return git('log', '-1', '--format=%H', '--', 'deploy/compatibility/accepted.json');
  }
}

/** Unpacks the offline bundle of a release. */
export async function unpack(bundle: string, folder: string, signal: AbortSignal): Promise<Release> {
  await mkdir(folder);
  await run('tar', ['-xzf', bundle, '-C', folder, '--strip-components=1'], { signal });
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { name: `release ${version}`, folder };
}

/** Checks out a version into a new folder and builds it with its own tools. */
export async function checkOut(repository: string, commit: string, folder: string, signal: AbortSignal): Promise<Release> {
  const execOptions = (cwd: string) => ({ cwd, signal, env: envWithoutNx(), maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run('git', ['rev-parse', '--short', '--verify', `${commit}^{commit}`], execOptions(repository));
  const archive = `${folder}.tar`;
  await mkdir(folder);
  await run('git', ['archive', '--output', archive, commit], execOptions(repository));
  await run('tar', ['-xf', archive, '-C', folder], execOptions(repository));
  await rm(archive);

  const [releaseLock, currentLock] = await Promise.all(
    [folder, repository].map((root) => readFile(join(root, 'package-lock.json'), 'utf8')),
  );
  if (releaseLock === currentLock) await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], execOptions(folder));
  await run('npx', ['nx', 'run-many', '-t', 'build', '-p', appsOf(folder).join()], execOptions(folder));
  return { name: stdout.trim(), folder };
}

/** The environment for a nested Nx, which would otherwise take itself for a child of the Nx that runs this process. */
const envWithoutNx = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NX_|npm_)/.test(name))),
  NX_DAEMON: 'false',
  NX_TUI: 'false',
});
