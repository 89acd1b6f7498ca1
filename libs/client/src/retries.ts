import { SheafConnectionError, SheafError } from './errors';
import type { Time } from './time';

/** Statuses of a server, or of a proxy in front of it, that may be gone a moment later. */
const passing = [429, 502, 503, 504];
const firstDelayMs = 250;

export interface RetryOptions {
  /** Attempts after the first one. */
  retries: number;
  maxDelayMs: number;
  signal?: AbortSignal | undefined;
  time: Time;
}

/** Repeats an attempt that failed for a reason that may pass. The attempt must be safe to repeat unless `retries` is 0. */
export async function withRetries<T>(attempt: () => Promise<T>, { retries, maxDelayMs, signal, time }: RetryOptions): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const delay = failures > retries ? undefined : delayAfter(error, failures, maxDelayMs, time.random);
      if (delay === undefined) throw error;
      await time.sleep(delay, signal);
    }
  }
}

/** The wait before the next attempt, or undefined if there should be none. */
function delayAfter(error: unknown, failures: number, maxDelayMs: number, random: () => number): number | undefined {
  if (error instanceof SheafConnectionError) return backoffMs(failures, maxDelayMs, random);
  if (!(error instanceof SheafError) || !passing.includes(error.status)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return backoffMs(failures, maxDelayMs, random);
  // An earlier attempt would be in vain, and a later one is for the caller to decide.
  if (retryAfterMs > maxDelayMs) return undefined;
  // Clients that were turned away together should not come back together.
  return retryAfterMs + firstDelayMs * random();
}

/** Twice as long after each failure; the second half of it is random. */
export function backoffMs(failures: number, maxDelayMs: number, random: () => number): number {
  const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
  return (delay * (1 + random())) / 2;
}

/** Reads `Retry-After`, which is a number of seconds or a date. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
