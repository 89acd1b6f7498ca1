import { setTimeout as sleep } from 'node:timers/promises';

/** Only something that hangs reaches this limit, on the busiest machine: no test depends on how fast it runs. */
export const hangMs = 120_000;

/**
 * The time limit for effects that an event brings about. It is longer than the busiest machine takes, but shorter than the 30 seconds after
 * which caches expire anyway, so that an event that is not heard is noticed. That the effect takes less than a second is tested with its own clock.
 */
export const soonMs = 25_000;

/** Retries every 20 ms until the function succeeds. After the time limit its last error is thrown. */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = hangMs): Promise<T> {
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
