import { setTimeout as sleep } from 'node:timers/promises';
import type { Process } from './process';

/**
 * Runs a periodic task: at process start and then again with a pause of `everyMs`, until the process stops. Stopping waits for a round in
 * progress. A failed round is logged, and the next one makes up for it. The task must be safe to run in several processes at once.
 * @param name the task in the log, such as `removing old entries`.
 * @param work returns a count, which is logged unless it is 0; long work should check the signal between steps.
 */
export function runPeriodically(
  process: Pick<Process, 'log' | 'onStop'>,
  { name, everyMs }: { name: string; everyMs: number },
  work: (stopping: AbortSignal) => Promise<number>,
): void {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const count = await work(stopping.signal);
        if (count > 0) process.log.info({ count }, name);
      } catch (error) {
        process.log.warn({ err: error }, `${name} failed, will retry later`);
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const done = run();
  process.onStop(name, async () => {
    stopping.abort();
    await done;
  });
}
