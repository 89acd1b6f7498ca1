import type { Process } from './process';

export interface Rounds {
  /** There may be something to do: the next round begins as if the last one had found something. Asking often costs no more rounds. */
  soon(): void;
}

/**
 * Runs a periodic task: at process start and then again with a pause of `everyMs`, until the process stops. Stopping waits for a round in
 * progress. A failed round is logged, and the next one makes up for it. The task must be safe to run in several processes at once.
 *
 * With `restMs`, the pause doubles up to it while rounds find nothing, so that a system at rest costs little. The process that leaves something
 * to do says so by `soon`; what others leave, such as one that died or a command, the slow round finds.
 * @param name the task in the log, such as `removing old entries`.
 * @param work returns a count, which is logged unless it is 0; long work should check the signal between steps.
 */
export function runPeriodically(
  process: Pick<Process, 'log' | 'onStop'>,
  { name, everyMs, restMs = everyMs }: { name: string; everyMs: number; restMs?: number },
  work: (stopping: AbortSignal) => Promise<number>,
): Rounds {
  const stopping = new AbortController();
  const pause = new Pause(everyMs, restMs);
  const run = async () => {
    while (!stopping.signal.aborted) {
      pause.begin();
      try {
        const count = await work(stopping.signal);
        if (count > 0) {
          pause.soon();
          process.log.info({ count }, name);
        }
      } catch (error) {
        pause.soon();
        process.log.warn({ err: error }, `${name} failed, will retry later`);
      }
      await pause.over();
    }
  };
  const done = run();
  process.onStop(name, async () => {
    stopping.abort();
    pause.end();
    await done;
  });
  return pause;
}

/** The pause between two rounds. */
class Pause {
  private ms: number;
  private isSoon = false;
  private isEnded = false;
  private pausing: { since: number; timer: NodeJS.Timeout; end: () => void } | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly restMs: number,
  ) {
    this.ms = everyMs / 2;
  }

  /** A round begins, which sees all that was left before. */
  begin(): void {
    this.isSoon = false;
  }

  soon(): void {
    this.isSoon = true;
    if (!this.pausing || this.ms === this.everyMs) return;
    this.ms = this.everyMs;
    clearTimeout(this.pausing.timer);
    const left = this.pausing.since + this.everyMs - performance.now();
    this.pausing.timer = setTimeout(this.pausing.end, Math.max(0, left));
  }

  /** Resolves at the end of the pause, which is twice the last one unless there may be something to do. */
  async over(): Promise<void> {
    if (this.isEnded) return;
    this.ms = this.isSoon ? this.everyMs : Math.min(2 * this.ms, this.restMs);
    await new Promise<void>((resolve) => {
      this.pausing = { since: performance.now(), timer: setTimeout(resolve, this.ms), end: resolve };
    });
    this.pausing = undefined;
  }

  /** Ends this pause, and all later ones. */
  end(): void {
    this.isEnded = true;
    clearTimeout(this.pausing?.timer);
    this.pausing?.end();
  }
}
