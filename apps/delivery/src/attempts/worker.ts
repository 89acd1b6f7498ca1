import type { Process } from '@sheaf/runtime';
import type { Attempts } from './attempts';

// Deliveries may fall due without this process noticing: another one planned them, or died while sending them.
const pollMs = 1_000;

export interface Worker {
  /** Looks for due deliveries now. */
  wake(): void;
}

/** Makes due attempts until the process stops, then waits for those in flight to end. */
export function startWorker(process: Process, attempts: Pick<Attempts, 'runDue' | 'idle'>): Worker {
  let stopping = false;
  let woken = false;
  let wakeUp: (() => void) | undefined;
  const wake = () => {
    woken = true;
    wakeUp?.();
  };

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        wakeUp = undefined;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      wakeUp = finish;
      if (woken || stopping) finish();
    });

  const look = async (): Promise<number> => {
    try {
      const { nextInMs } = await attempts.runDue(wake);
      return Math.min(pollMs, nextInMs ?? pollMs);
    } catch (error) {
      process.log.warn({ err: error }, 'claiming due deliveries failed, retrying');
      // Discard wake-ups too: the database needs the pause.
      woken = false;
      return pollMs;
    }
  };

  const run = async () => {
    while (!stopping) {
      woken = false;
      await sleep(await look());
    }
  };

  const done = run();
  process.onStop('worker', async () => {
    stopping = true;
    wake();
    await done;
    await attempts.idle();
  });
  return { wake };
}
