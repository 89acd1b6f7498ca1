import type { Process } from '@sheaf/runtime';
import type { Attempts } from './attempt';

// Something may fall due without anybody here being told: another process planned it, or died over it.
const pollMs = 1_000;

export interface Worker {
  /** There is something to do now. */
  wake(): void;
}

/** Runs what is due, whenever it is, until the process stops; then lets what is under way come to its end. */
export function startWorker(own: Process, attempts: Pick<Attempts, 'runDue' | 'idle'>): Worker {
  let stopping = false;
  let pending = false;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    pending = true;
    wakeUp?.();
  };

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        wakeUp = undefined;
        resolve();
      };
      const timer = setTimeout(go, ms);
      wakeUp = go;
      if (pending || stopping) go();
    });

  const turn = async (): Promise<number> => {
    try {
      const { nextInMs } = await attempts.runDue(wake);
      return Math.min(pollMs, nextInMs ?? pollMs);
    } catch (error) {
      own.log.warn({ err: error }, 'deliveries wait');
      // Not even for a wake: the database needs the pause.
      pending = false;
      return pollMs;
    }
  };

  const run = async () => {
    while (!stopping) {
      pending = false;
      await sleep(await turn());
    }
  };

  const done = run();
  own.onStop('worker', async () => {
    stopping = true;
    wake();
    await done;
    await attempts.idle();
  });
  return { wake };
}
