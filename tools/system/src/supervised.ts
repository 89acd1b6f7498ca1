import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, type ServerProcess } from '@sheaf/embedded';
import { nextDelay } from './backoff';

export type SupervisedOptions = {
  name: string;
  start: (signal: AbortSignal) => Promise<ServerProcess>;
  /** Contains the process id while the process runs. */
  pidFile: string;
  /** Called whenever the process dies or is restarted. */
  report: (level: 'info' | 'warn', message: string) => void;
};

/** A process that is restarted, with growing delays, whenever it dies. */
export class Supervised {
  readonly #ending = new AbortController();
  #running: ServerProcess | undefined;
  #life: Promise<void> | undefined;
  /** Pending restart requests. */
  #restartRequests: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  /** Aborted to skip the rest of the delay before the next start. */
  #skipDelay = new AbortController();

  constructor(private readonly options: SupervisedOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** Starts the process. Rejects if this first start fails; later starts are retried forever. */
  async start(): Promise<void> {
    const first = this.#launch();
    this.#life = first.then(() => this.#watch()).catch(() => undefined);
    await first;
  }

  /** Stops the process; resolves when it has ended and will not be restarted. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running?.stop();
    await this.#life;
  }

  /** Ends the process as `stop` does and starts it again without a delay. Rejects if that fails; it is then retried as after a crash. */
  async restart(): Promise<void> {
    this.#ending.signal.throwIfAborted();
    const restarted = new Promise<void>((resolve, reject) => this.#restartRequests.push({ resolve, reject }));
    this.#skipDelay.abort();
    await this.#running?.stop();
    await restarted;
  }

  /** Kills the process without waiting. */
  kill(): void {
    this.#ending.abort();
    this.#running?.kill();
  }

  async #watch(): Promise<void> {
    try {
      let delayMs = 0;
      let since = performance.now();
      for (;;) {
        const exit = await this.#running?.exited;
        this.#running = undefined;
        await rm(this.options.pidFile, { force: true });
        if (this.#ending.signal.aborted) return;

        if (this.#restartRequests.length > 0) delayMs = 0;
        else {
          delayMs = nextDelay(delayMs, performance.now() - since);
          this.options.report('warn', `${this.name} ended unexpectedly${exit ? ` (${describe(exit)})` : ''}, restarting in ${delayMs} ms`);
          await this.#pause(delayMs);
        }
        since = performance.now();
        await this.#launchAgain();
      }
    } finally {
      for (const { reject } of this.#restartRequests.splice(0)) reject(new Error(`${this.name} was stopped.`));
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any([this.#ending.signal, this.#skipDelay.signal]) }).catch(() => undefined);
    this.#ending.signal.throwIfAborted();
  }

  async #launchAgain(): Promise<void> {
    const requests = this.#restartRequests.splice(0);
    this.#skipDelay = new AbortController();
    try {
      await this.#launch();
      if (requests.length === 0) this.options.report('info', `${this.name} was restarted`);
      for (const { resolve } of requests) resolve();
      // A restart was requested while this process started: it may run the old bundle.
      if (this.#restartRequests.length > 0) await this.#running?.stop();
    } catch (error) {
      for (const { reject } of requests) reject(error);
      this.#ending.signal.throwIfAborted();
      this.options.report('warn', error instanceof Error ? error.message : String(error));
    }
  }

  async #launch(): Promise<void> {
    const running = await this.options.start(this.#ending.signal);
    try {
      this.#ending.signal.throwIfAborted();
      await writeFile(this.options.pidFile, `${running.pid}\n`);
    } catch (error) {
      await running.stop();
      throw error;
    }
    this.#running = running;
    // stop() was called while the pid file was being written and did not see this process.
    if (this.#ending.signal.aborted) await running.stop();
  }
}

export const describe = ({ code, signal }: Exit) => (signal ? `by ${signal}` : `exit code ${code ?? 'unknown'}`);
