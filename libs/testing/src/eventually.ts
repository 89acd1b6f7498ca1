import { setTimeout as sleep } from 'node:timers/promises';

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
