import { setTimeout as sleep } from 'node:timers/promises';

/** Only something that hangs reaches this limit, on the busiest machine: no test depends on how fast it runs. */
export const hangMs = 120_000;

/**
 * The time limit for effects that an event brings about. It is longer than the busiest machine takes, but shorter than the 30 seconds after
 * which caches expire anyway, so that an event that is not heard is noticed. That the effect takes less than a second is tested with its own clock.
 */
export const soonMs = 25_000;

/**
 * Retries until the function succeeds: every 20 ms at first, and the more rarely the longer it takes, so that looking does not take the processor
 * from what is looked for. After the time limit its last error is thrown.
 */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = hangMs): Promise<T> {
  const since = Date.now();
  for (;;) {
    try {
      return await look();
    } catch (error) {
      const waited = Date.now() - since;
      if (waited > withinMs) throw error;
      await sleep(Math.min(20 + waited / 10, 250));
    }
  }
}
