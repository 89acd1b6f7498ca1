import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from './refusal';

/**
 * Makes this process the only launcher on a DATA_DIR and returns a function that releases it.
 *
 * Each launcher first writes its name into the folder and then looks for other names, so of two launchers at least one sees the other;
 * if both start at the same moment, both may see each other and refuse. A name is the process id plus the start time, because ids are
 * reused: the stale name of a killed launcher stays stale, and anyone who finds it may remove it.
 * @param folder created if missing
 * @throws Refusal if another launcher runs
 */
export async function takeLock(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ownName = nameOf(process.pid, (await startTimeOf(process.pid)) ?? '');
  try {
    await writeFile(join(folder, ownName), '', { flag: 'wx' });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyRunning(process.pid) : error;
  }
  const release = () => rm(join(folder, ownName), { force: true });

  for (const name of await readdir(folder)) {
    if (name === ownName) continue;
    const pid = Number.parseInt(name, 10);
    const startTime = await startTimeOf(pid);
    if (startTime !== null && nameOf(pid, startTime) === name) {
      await release();
      throw alreadyRunning(pid);
    }
    await rm(join(folder, name), { force: true });
  }
  return release;
}

const nameOf = (pid: number, startTime: string) => `${pid}-${startTime.replaceAll(/\W+/g, '-')}`;

const alreadyRunning = (pid: number) =>
  new Refusal(
    `Sheaf is already running on this DATA_DIR (process ${pid}). Stop it first, or start a second system: DATA_DIR=.data2 PORT=8081 npm start`,
  );

/** The start time of a process, in the operating system's format; null if it does not exist or is a zombie. */
export async function startTimeOf(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  try {
    if (process.platform === 'linux') {
      // The second field is the program's name in parentheses, which may contain anything; state and start time are the 3rd and 22nd.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? null : (fields[19] ?? null);
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], { timeout: 5_000 });
    const line = stdout.trim();
    return line === '' ? null : line;
  } catch {
    return null;
  }
}
