import type { App } from '@sheaf/kernel';
import type { Level } from '../log-lines';

/** Restarts apps whose code changed, and reports when they answer again. */
export class Restarts {
  /** The restart in progress of each app; aborted by the next one. */
  readonly #latest = new Map<App, AbortController>();

  constructor(
    private readonly launch: (app: App, migrate: boolean) => Promise<{ ready: (signal: AbortSignal) => Promise<boolean> }>,
    private readonly log: (level: Level, text: string) => void,
  ) {}

  async restart(app: App, migrate: boolean): Promise<void> {
    // An app that is still starting runs outdated code by now.
    this.#latest.get(app)?.abort();
    const superseded = new AbortController();
    this.#latest.set(app, superseded);
    const since = performance.now();
    try {
      const { ready } = await this.launch(app, migrate);
      ready(superseded.signal).then(
        (isReady) =>
          isReady
            ? this.log('info', `restarted ${app} (${((performance.now() - since) / 1000).toFixed(1)} s)`)
            : this.log('error', `${app} has not answered since its restart`),
        // Restarted again in the meantime, or the system is stopping.
        () => undefined,
      );
    } catch (error) {
      this.log('error', `${app} was not restarted: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  stop(): void {
    for (const superseded of this.#latest.values()) superseded.abort();
  }
}
