import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log';

/**
 * Retries until the attempt succeeds: processes start in any order, and a database or broker may come up after us.
 * The pauses double from 100 ms to 5 s. Throws the last error after `forMs`.
 */
export async function retryUntilSuccess<T>(
  what: string,
  attempt: () => Promise<T>,
  { log, forMs = 60_000 }: { log: Log; forMs?: number },
): Promise<T> {
  const until = Date.now() + forMs;
  for (let pause = 100; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() + pause > until) throw error;
      log.warn({ err: error, what }, `waiting for ${what}`);
      await sleep(pause);
    }
  }
}
