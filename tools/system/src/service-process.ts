import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Exit, type ServerProcess, stopInSteps } from '@sheaf/embedded';
import { type Level } from './log-lines';
import { describe } from './supervised';

export type NodeProgram = {
  /** The bundle to run. */
  file: string;
  /** Command-line options for Node itself. */
  nodeArgs?: readonly string[];
  args?: readonly string[];
  /** Its complete environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Receives all output; plain text on stderr is logged as a problem. */
  onLine: (line: string, level: Level) => void;
};

/** Slightly more than a service's own shutdown timeout. */
const STOP_TIMEOUT_MS = 17_000;

/**
 * Starts one of our services. It stops when its IPC channel to this process closes, however this process ended. It also gets its own
 * session, so that only this process receives Ctrl-C, and decides the order in which services stop.
 */
export async function startService(program: NodeProgram): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...(program.nodeArgs ?? []), program.file, ...(program.args ?? [])], {
    env: program.env,
    cwd: program.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  passLines(child, program.onLine);
  const exited = exitOf(child);
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program.file} did not start.`);

  // Signals the whole group, so that child processes of the service do not outlive it.
  const killGroup = () => {
    // The child has ended: its pid may have been reused by now.
    if (child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  };
  return {
    pid,
    exited,
    kill: killGroup,
    stop: () =>
      stopInSteps((signal) => (signal === 'SIGKILL' ? killGroup() : void child.kill(signal)), exited, [['SIGTERM', STOP_TIMEOUT_MS]]),
  };
}

/** Runs a command of one of our apps and waits for its end. Rejects if it fails, times out, or is aborted. */
export async function runCommand(program: NodeProgram & { timeoutMs: number; signal: AbortSignal }): Promise<void> {
  const timeout = AbortSignal.timeout(program.timeoutMs);
  const child = spawn(process.execPath, [program.file, ...(program.args ?? [])], {
    env: program.env,
    cwd: program.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    signal: AbortSignal.any([program.signal, timeout]),
    killSignal: 'SIGKILL',
  });
  passLines(child, program.onLine);
  const result = await exitOf(child);
  program.signal.throwIfAborted();
  if (timeout.aborted) throw new Error(`took longer than ${program.timeoutMs / 1000} s`);
  if (result.code !== 0) throw new Error(describe(result));
}

function passLines(child: ChildProcess, onLine: NodeProgram['onLine']): void {
  for (const [stream, level] of [
    [child.stdout, 'info'],
    [child.stderr, 'error'],
  ] as const) {
    if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => onLine(line, level));
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    // 'close' would wait until all output is read, but also for grandchildren that hold the pipe.
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}
