import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apps } from '../support/cluster';

const run = promisify(execFile);

/** A built version of Sheaf: the folder has its manifests and `dist`. */
export interface Release {
  name: string;
  folder: string;
}

/** The version that runs everywhere: the commit that last updated deploy/compatibility. */
export const acceptedCommit = (repository: string): string =>
  execFileSync('git', ['log', '-1', '--format=%H', '--', 'deploy/compatibility/accepted.json'], {
    cwd: repository,
    encoding: 'utf8',
  }).trim();

/** Checks out a version into a new folder and builds it with its own tools. */
export async function checkOut(repository: string, commit: string, folder: string, signal: AbortSignal): Promise<Release> {
  const within = (cwd: string) => ({ cwd, signal, env: outsideOfNx(), maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await run('git', ['rev-parse', '--short', '--verify', `${commit}^{commit}`], within(repository));
  const archive = `${folder}.tar`;
  await mkdir(folder);
  await run('git', ['archive', '--output', archive, commit], within(repository));
  await run('tar', ['-xf', archive, '-C', folder], within(repository));
  await rm(archive);

  const [theirs, ours] = await Promise.all([folder, repository].map((home) => readFile(join(home, 'package-lock.json'), 'utf8')));
  if (theirs === ours) await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], within(folder));
  await run('npx', ['nx', 'run-many', '-t', 'build', '-p', apps.join()], within(folder));
  return { name: stdout.trim(), folder };
}

/** The environment for an Nx that must not consider itself a child of the Nx that runs us. */
const outsideOfNx = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NX_|npm_)/.test(name))),
  NX_DAEMON: 'false',
  NX_TUI: 'false',
});
