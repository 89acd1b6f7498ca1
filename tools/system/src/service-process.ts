import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Exit, type ServerProcess, stopInSteps } from '@sheaf/embedded';
import { type Level } from './log-lines';
import { describe } from './supervised';

export type NodeProgram = {
  /** The bundle to run. */
  file: string;
  /** Options of Node itself. */
  nodeArgs?: readonly string[];
  args?: readonly string[];
  /** All of its environment. */
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Everything it prints; plain text on stderr is a complaint. */
  onLine: (line: string, level: Level) => void;
};

/** A little more than the time that a service gives to the work under way. */
const PATIENCE_MS = 17_000;

/**
 * Starts one of our services. It gets a channel to us that it listens to: when the channel closes, however we ended, it stops. And a
 * session of its own, so that Ctrl-C reaches us alone and the order of stopping is ours.
 */
export async function startService(program: NodeProgram): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...(program.nodeArgs ?? []), program.file, ...(program.args ?? [])], {
    env: program.env,
    cwd: program.cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  passLines(child, program.onLine);
  const exited = exit(child);
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program.file} did not start.`);

  // To the whole group: what a service may have started does not outlive it.
  const killGroup = () => {
    // Its number may belong to somebody else by now.
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
    stop: () => stopInSteps((signal) => (signal === 'SIGKILL' ? killGroup() : void child.kill(signal)), exited, [['SIGTERM', PATIENCE_MS]]),
  };
}

/** Runs a command of one of our apps to its end. Rejects if it fails, takes longer than the bound, or is called off. */
export async function runCommand(program: NodeProgram & { timeoutMs: number; signal: AbortSignal }): Promise<void> {
  const late = AbortSignal.timeout(program.timeoutMs);
  const child = spawn(process.execPath, [program.file, ...(program.args ?? [])], {
    env: program.env,
    cwd: program.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    signal: AbortSignal.any([program.signal, late]),
    killSignal: 'SIGKILL',
  });
  passLines(child, program.onLine);
  const result = await exit(child);
  program.signal.throwIfAborted();
  if (late.aborted) throw new Error(`took longer than ${program.timeoutMs / 1000} s`);
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

function exit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    // 'close' would be the time when all is read, but waits for grandchildren that hold the pipe.
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}
