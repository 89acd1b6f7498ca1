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

/** Finds the version that is deployed everywhere: the commit that last changed deploy/compatibility/accepted.json. */
export const acceptedCommit = (repository: string): string =>
  execFileSync('git', ['log', '-1', '--format=%H', '--', 'deploy/compatibility/accepted.json'], {
    cwd: repository,
    encoding: 'utf8',
  }).trim();

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
