import type { Log } from '@sheaf/runtime';

const maxRequested = 1_000;

/** Background work that requests ask for: one form at a time, and each form once, however often it is requested meanwhile. */
export class FormQueue {
  private readonly requested = new Set<string>();
  private working: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  /**
   * @param name the work in the log, such as `creating list blocks`
   * @param work should check the signal between steps, and keep what it has done so far if it fails
   */
  constructor(
    private readonly name: string,
    private readonly log: Log,
    private readonly work: (formId: string, stopping: AbortSignal) => Promise<void>,
  ) {}

  request(formId: string): void {
    if (this.stopping.signal.aborted || this.requested.size >= maxRequested) return;
    this.requested.add(formId);
    this.working ??= this.run().finally(() => (this.working = undefined));
  }

  /** Resolves once everything requested is done. */
  async idle(): Promise<void> {
    await this.working;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }

  private async run(): Promise<void> {
    for (const formId of this.requested) {
      if (this.stopping.signal.aborted) return;
      await this.work(formId, this.stopping.signal).catch((error: unknown) =>
        this.log.warn({ err: error, formId }, `${this.name} failed, the next request will retry`),
      );
      this.requested.delete(formId);
    }
  }
}
