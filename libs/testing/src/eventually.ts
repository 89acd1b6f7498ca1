import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The bound for effects that are promised within a second. It is longer, as a busy machine may stand still for a moment, and shorter than
 * the time after which caches would notice the change by themselves. The second itself is tested on a clock of its own.
 */
export const soonMs = 5_000;

/** Looks again and again, every 20 ms, until the look succeeds; then, or after the bound, what it gave or threw counts. */
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
