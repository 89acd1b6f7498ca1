import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, works } from './run';

/**
 * A command prefix that makes Linux stop the program when its parent process dies, even by SIGKILL. It sends SIGINT, on which both
 * PostgreSQL and NATS shut down cleanly. Empty if this machine does not support it.
 */
export async function diesWithParent(): Promise<string[]> {
  const words = ['setpriv', '--pdeathsig', 'INT', '--'] as const;
  return process.platform === 'linux' && (await works([...words, 'true'])) ? [...words] : [];
}

/** The command line of a running process, or null. A zombie has none. */
export async function commandLine(pid: number): Promise<string | null> {
  try {
    const line =
      process.platform === 'linux'
        ? (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
        : await run(['ps', '-o', 'command=', '-p', String(pid)], { timeoutMs: 5_000 });
    return line.trim() || null;
  } catch {
    return null;
  }
}

/**
 * Stops a server that an earlier launcher left behind, if it still runs. Its pid is the first line of `pidFile`, and its command line must
 * contain `mark`, since pids are reused. The caller must ensure that no other process uses the server.
 */
export async function stopOrphan(pidFile: string, mark: string): Promise<void> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  const isOurs = async () => (await commandLine(pid))?.includes(mark) === true;

  for (const [signal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ] as const) {
    if (!(await isOurs())) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (let waited = 0; waited < waitMs && (await isOurs()); waited += 25) await sleep(25);
  }
  if (await isOurs()) throw new Error(`Process ${pid} of an earlier run cannot be stopped.`);
}
