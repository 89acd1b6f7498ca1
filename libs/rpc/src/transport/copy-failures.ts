import { LRUCache } from 'lru-cache';

// A copy that fails does so quickly, so it would always be the least busy one. After a failure it is avoided for a while, and then tried
// with one call at a time.
const firstAvoidanceMs = 100;
const maxAvoidanceMs = 5_000;

/** The recent failures of a copy. */
export class CopyFailures {
  private count = 0;
  private failedAt = 0;
  private avoidedUntil = 0;

  get hasAny(): boolean {
    return this.count > 0;
  }

  isAvoided(now: number): boolean {
    return this.avoidedUntil > now;
  }

  /** Notes that the next call goes to this copy. After failures it goes alone, until it is answered. */
  choose(now: number): void {
    if (this.count > 0) this.avoidedUntil = now + avoidanceAfter(this.count);
  }

  failed(): void {
    const now = Date.now();
    // Calls that fail together count once.
    if (now - this.failedAt < firstAvoidanceMs) return;
    this.failedAt = now;
    this.count += 1;
    this.avoidedUntil = now + avoidanceAfter(this.count);
  }

  /** Calls that need no database succeed even without one, so a copy is trusted again only after as many successes as failures. */
  succeeded(): void {
    if (this.count === 0) return;
    this.count -= 1;
    this.avoidedUntil = 0;
  }
}

/** The failures of each copy across all streams, so that a new stream to a failing copy does not look healthy. */
export class FailuresByCopy {
  private readonly known = new LRUCache<string, CopyFailures>({ max: 1_000 });

  of(copy: string): CopyFailures {
    const known = this.known.get(copy) ?? new CopyFailures();
    this.known.set(copy, known);
    return known;
  }
}

const avoidanceAfter = (failures: number): number => Math.min(firstAvoidanceMs * 2 ** (failures - 1), maxAvoidanceMs);
