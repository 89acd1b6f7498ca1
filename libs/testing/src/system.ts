import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Credentials {
  base_url: string;
  api_key: string;
  workspace_id: string;
  user: { id: string; email: string; password: string };
}

const launcher = join(__dirname, '../../../dist/tools/system/main.cjs');
const startWithinMs = 60_000;
const stopWithinMs = 30_000;

export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'sheaf-e2e-'));
export const removeDataDir = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true });

/** All of Sheaf as `npm start` runs it, on a free port and a data folder of its own. */
export class System {
  private constructor(
    readonly dataDir: string,
    readonly launcher: ChildProcess,
    private readonly output: string[],
    readonly credentials: Credentials,
    /** From the start of the launcher until it said that the system is ready. */
    readonly readyAfterMs: number,
  ) {}

  static async start(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<System> {
    const from = performance.now();
    const child = spawn(process.execPath, [launcher], {
      // A new session, as a terminal has one: signals to it do not reach the tests.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      // As npm starts it: it ends when whoever started it is gone, so that a run that is killed leaves nothing behind.
      env: { ...process.env, PORT: '0', DATA_DIR: dataDir, HOOKS_ALLOW_PRIVATE_TARGETS: 'true', NO_COLOR: '1', npm_lifecycle_event: 'start', ...env },
    });
    const output: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));

    const until = Date.now() + startWithinMs;
    while (!output.join('').includes('Sheaf is ready.')) {
      if (child.exitCode !== null || Date.now() > until) {
        child.kill('SIGKILL');
        throw new Error(`The system did not start:\n${output.join('')}`);
      }
      await sleep(20);
    }
    const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
    return new System(dataDir, child, output, credentials, performance.now() - from);
  }

  get origin(): string {
    return new URL(this.credentials.base_url).origin;
  }

  get said(): string {
    return this.output.join('');
  }

  /** The process id of one of the system's processes, or undefined if it has none at the moment. */
  async pid(name: string): Promise<number | undefined> {
    try {
      return Number(await readFile(join(this.dataDir, 'run', `${name}.pid`), 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** As Ctrl-C does it. @returns the exit code */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.launcher.exitCode !== null || this.launcher.signalCode !== null) return this.launcher.exitCode;
    const exited = once(this.launcher, 'exit', { signal: AbortSignal.timeout(stopWithinMs) });
    this.launcher.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
