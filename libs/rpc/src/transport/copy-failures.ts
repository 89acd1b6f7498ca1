import { LRUCache } from 'lru-cache';

// A copy that cannot answer says so quickly, so it would always be the least busy one. After a failure it is passed over for a while, and
// then tried by one call at a time.
const avoidedForMs = 100;
const avoidedAtMostMs = 5_000;

/** How a copy has failed lately. */
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

  /** The next call goes to this copy. Where the ones before failed it goes alone, until it is answered. */
  isChosen(now: number): void {
    if (this.count > 0) this.avoidedUntil = now + avoidedFor(this.count);
  }

  failed(): void {
    const now = Date.now();
    // Those that fail together count once.
    if (now - this.failedAt < avoidedForMs) return;
    this.failedAt = now;
    this.count += 1;
    this.avoidedUntil = now + avoidedFor(this.count);
  }

  /** What needs no database succeeds without one, so it takes as many successes as failures to be trusted again. */
  succeeded(): void {
    if (this.count === 0) return;
    this.count -= 1;
    this.avoidedUntil = 0;
  }
}

/** The failures of each copy, whichever stream they came by: a new stream to a copy that fails would else be taken for a good one. */
export class FailuresByCopy {
  private readonly known = new LRUCache<string, CopyFailures>({ max: 1_000 });

  of(copy: string): CopyFailures {
    const known = this.known.get(copy) ?? new CopyFailures();
    this.known.set(copy, known);
    return known;
  }
}

const avoidedFor = (failures: number): number => Math.min(avoidedForMs * 2 ** (failures - 1), avoidedAtMostMs);
