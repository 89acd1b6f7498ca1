import { LRUCache } from 'lru-cache';

const windowMs = 60_000;

/** How often a key was counted in the minute that ends at `until`, including this time. */
export interface Window {
  count: number;
  readonly until: number;
}

/**
 * Counts keys per minute in this process only, so n copies together allow n times as many. It remembers at most the `max` latest keys.
 * Rejected: rate-limiter-flexible has no such bound and a timer for each key; express-rate-limit has no bound either.
 */
export class PerMinute {
  private readonly windows: LRUCache<string, Window>;

  constructor(max: number) {
    this.windows = new LRUCache({ max });
  }

  /** Counts one occurrence of a key. @param now in milliseconds */
  count(key: string, now: number): Window {
    const known = this.windows.get(key);
    if (known && now < known.until) {
      known.count++;
      return known;
    }
    const begun = { count: 1, until: now + windowMs };
    this.windows.set(key, begun);
    return begun;
  }
}
