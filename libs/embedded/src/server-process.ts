import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A child process that runs until it is stopped or dies. */
export type ServerProcess = {
  pid: number;
  /** Resolves when the process has ended, for whatever reason; never rejects. */
  exited: Promise<Exit>;
  /** Asks the process to stop, kills it if that takes too long, and returns when it has ended. */
  stop(): Promise<void>;
  /** Kills the process at once. Its data on disk survives as it would a power cut. */
  kill(): void;
};

/** The signals to send, in order, and how many milliseconds to wait after each. SIGKILL follows the last one. */
export type StopSteps = readonly (readonly [NodeJS.Signals, number])[];

export type Command = readonly [string, ...string[]];

/** @throws Error if the command is empty. */
export function asCommand(words: readonly string[]): Command {
  const [file, ...args] = words;
  if (file === undefined) throw new Error('A command needs a program.');
  return [file, ...args];
}

export type ServerProcessOptions = {
  /** The server's name in messages. */
  name: string;
  command: Command;
  env: NodeJS.ProcessEnv;
  /** The output that shows that the server is ready. */
  ready: RegExp;
  readyWithinMs: number;
  stopWith: StopSteps;
  /** Called with every line of its standard output and standard error. */
  onLine: (line: string) => void;
  signal?: AbortSignal | undefined;
};

/** Starts a server and returns when it reports that it is ready. Rejects with its last lines if it dies or takes too long. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { name, command, env, ready, readyWithinMs, stopWith, onLine, signal } = options;
  signal?.throwIfAborted();
  const [file, ...args] = command;

  // Runs in its own session, so that Ctrl-C in a terminal reaches only the launcher, which stops its servers in the right order.
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, by) => resolve({ code, signal: by }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} did not start.`);

  const server: ServerProcess = {
    pid,
    exited,
    kill: () => void child.kill('SIGKILL'),
    stop: () => stopInSteps((how) => void child.kill(how), exited, stopWith),
  };

  const lastLines: string[] = [];
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
        lastLines.push(line);
        if (lastLines.length > 8) lastLines.shift();
        onLine(line);
        if (ready.test(line)) resolve();
      });
    }
  });

  const timer = new AbortController();
  const aborted = new Promise<'aborted'>((resolve) => signal?.addEventListener('abort', () => resolve('aborted'), { once: true }));
  const outcome = await Promise.race([
    isReady.then(() => 'ready' as const),
    exited.then(() => 'died' as const),
    sleep(readyWithinMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const),
    aborted,
  ]);
  timer.abort();
  if (outcome === 'ready') return server;

  if (outcome !== 'died') await server.stop();
  signal?.throwIfAborted();
  // 'exit' may come before the last output.
  await sleep(20);
  const why = outcome === 'died' ? 'ended before it was ready' : `was not ready within ${readyWithinMs / 1000} s`;
  throw new Error(`${name} ${why}:\n${lastLines.map((line) => `  ${line}`).join('\n')}`);
}

/** Sends one signal after the other until the process is gone. */
export async function stopInSteps(send: (signal: NodeJS.Signals) => void, exited: Promise<unknown>, steps: StopSteps): Promise<void> {
  for (const [signal, patienceMs] of steps) {
    send(signal);
    if (await settlesWithin(exited, patienceMs)) return;
  }
  send('SIGKILL');
  await exited;
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), late]);
  timer.abort();
  return settled;
}
