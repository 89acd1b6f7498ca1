import { execFile } from 'node:child_process';
import { type Command } from './server-process';

/** Runs a program and returns its standard output. Rejects with its last lines if it fails or takes too long. */
export function run(
  command: Command,
  options: { timeoutMs: number; env?: NodeJS.ProcessEnv; cwd?: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const [file, ...args] = command;
  const { timeoutMs, env, cwd, signal } = options;
  return new Promise((resolve, reject) => {
    execFile(
      file,
      args,
      { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 * 1024, env, cwd, signal },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (signal?.aborted) return reject(new Error(`${file} was cancelled`, { cause: error }));
        const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-8).join('\n');
        const why = error.killed ? `took longer than ${timeoutMs / 1000} s` : 'failed';
        reject(new Error(`${file} ${why}: ${lines || error.message}`, { cause: error }));
      },
    );
  });
}

/** True if the program succeeds. Used to find out what this machine supports. */
export async function works(command: Command, env?: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    await run(command, { timeoutMs: 5_000, ...(env ? { env } : {}) });
    return true;
  } catch {
    return false;
  }
}
