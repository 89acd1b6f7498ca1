import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hangMs } from './eventually';

export interface Credentials {
  base_url: string;
  api_key: string;
  workspace_id: string;
  user: { id: string; email: string; password: string };
}

const launcher = join(__dirname, '../../../dist/tools/system/main.cjs');

export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'sheaf-e2e-'));
export const removeDataDir = (dataDir: string): Promise<void> => rm(dataDir, { recursive: true, force: true });

/** A complete Sheaf as `npm start` runs it, with a free port and its own data folder. */
export class System {
  private constructor(
    readonly dataDir: string,
    readonly launcher: ChildProcess,
    private readonly output: string[],
    readonly credentials: Credentials,
    /** The time from the launcher's start until it reported that the system is ready. */
    readonly readyAfterMs: number,
  ) {}

  static async start(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<System> {
    const from = performance.now();
    const child = spawn(process.execPath, [launcher], {
      // Runs in a new session, as in a terminal, so that signals to it do not reach the tests.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      // As under npm, it ends when its parent does, so that a killed test run leaves no processes behind.
      env: {
        ...process.env,
        PORT: '0',
        DATA_DIR: dataDir,
        HOOKS_ALLOW_PRIVATE_TARGETS: 'true',
        // Tests begin with an empty system.
        SAMPLE_FORM: 'false',
        NO_COLOR: '1',
        npm_lifecycle_event: 'start',
        ...env,
      },
    });
    const output: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));

    const until = Date.now() + hangMs;
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

  /** Returns the process id of an app, or undefined if it is not running. */
  async pid(name: string): Promise<number | undefined> {
    try {
      return Number(await readFile(join(this.dataDir, 'run', `${name}.pid`), 'utf8'));
    } catch {
      return undefined;
    }
  }

  /** Stops the system like Ctrl-C. @returns the exit code */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.launcher.exitCode !== null || this.launcher.signalCode !== null) return this.launcher.exitCode;
    const exited = once(this.launcher, 'exit', { signal: AbortSignal.timeout(hangMs) });
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
