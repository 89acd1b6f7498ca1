import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The time limit for effects that are promised within a second. It is longer because a busy machine may pause for a moment, but shorter than
 * the time after which caches would expire anyway. The second itself is tested with its own clock.
 */
export const soonMs = 5_000;

/** Retries every 20 ms until the function succeeds. After the time limit its last error is thrown. */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 15_000): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(20);
    }
  }
}
