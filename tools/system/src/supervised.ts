import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, type ServerProcess } from '@sheaf/embedded';
import { nextDelay } from './backoff';

export type SupervisedOptions = {
  name: string;
  start: (signal: AbortSignal) => Promise<ServerProcess>;
  /** Holds the process id while there is a process. */
  pidFile: string;
  /** Told of every death and every new start. */
  report: (level: 'info' | 'warn', message: string) => void;
};

/** A process that is started again, with growing pauses, whenever it dies. */
export class Supervised {
  readonly #ending = new AbortController();
  #running: ServerProcess | undefined;
  #life: Promise<void> | undefined;

  constructor(private readonly options: SupervisedOptions) {}

  /** Starts it. Rejects if this first start fails; later ones are tried again for ever. */
  async start(): Promise<void> {
    const first = this.#launch();
    this.#life = first.then(() => this.#watch()).catch(() => undefined);
    await first;
  }

  /** Returns when it is gone and will not come back. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running?.stop();
    await this.#life;
  }

  /** Ends it at once, without waiting for anything. */
  kill(): void {
    this.#ending.abort();
    this.#running?.kill();
  }

  async #watch(): Promise<void> {
    const { name, pidFile, report } = this.options;
    let delayMs = 0;
    let since = performance.now();
    for (;;) {
      const exit = await this.#running?.exited;
      this.#running = undefined;
      await rm(pidFile, { force: true });
      if (this.#ending.signal.aborted) return;

      delayMs = nextDelay(delayMs, performance.now() - since);
      report('warn', `${name} ended unexpectedly${exit ? ` (${describe(exit)})` : ''}, it is started again in ${delayMs} ms`);
      await sleep(delayMs, undefined, { signal: this.#ending.signal });
      since = performance.now();
      try {
        await this.#launch();
        report('info', `${name} was started again`);
      } catch (error) {
        this.#ending.signal.throwIfAborted();
        report('warn', error instanceof Error ? error.message : String(error));
      }
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
    // Ended while the file was written: nobody has stopped this one yet.
    if (this.#ending.signal.aborted) await running.stop();
  }
}

export const describe = ({ code, signal }: Exit) => (signal ? `by ${signal}` : `exit code ${code ?? 'unknown'}`);
