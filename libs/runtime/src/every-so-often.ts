import { setTimeout as sleep } from 'node:timers/promises';
import type { Process } from './process';

/**
 * Does some work when the process starts and then again and again, with a pause of `everyMs` in between, until the process stops; that
 * waits for a round which is under way. A round that fails is logged, and the next one makes up for it: what is done here has to be
 * harmless when several processes do it at once.
 * @param name what it does, as in `removing old entries`.
 * @param work says how many it did, which is logged unless it is none; long work looks at the signal now and then.
 */
export function everySoOften(
  own: Pick<Process, 'log' | 'onStop'>,
  { name, everyMs }: { name: string; everyMs: number },
  work: (stopping: AbortSignal) => Promise<number>,
): void {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const count = await work(stopping.signal);
        if (count > 0) own.log.info({ count }, name);
      } catch (error) {
        own.log.warn({ err: error }, `${name} failed, and is tried again later`);
      }
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const done = run();
  own.onStop(name, async () => {
    stopping.abort();
    await done;
  });
}
