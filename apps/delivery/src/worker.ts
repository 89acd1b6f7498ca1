import type { Clock } from '@sheaf/kernel';
import type { Process } from '@sheaf/runtime';
import type { Attempts } from './attempt';

// Something may fall due without anybody here being told: another process planned it, or died over it.
const pollMs = 1_000;

export interface Worker {
  /** There is something to do now. */
  wake(): void;
}

/** Runs what is due, whenever it is, until the process stops; then lets what is under way come to its end. */
export function startWorker(own: Process, attempts: Pick<Attempts, 'runDue' | 'idle'>, clock: Clock): Worker {
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
      const { nextDue } = await attempts.runDue(wake);
      return nextDue ? Math.max(0, Math.min(pollMs, nextDue.getTime() - clock.now().getTime())) : pollMs;
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
