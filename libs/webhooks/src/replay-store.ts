/**
 * Ids with an expiry, shared by all processes that receive the same webhooks. Only ids with a valid signature get here, so strangers cannot
 * fill it.
 */
export interface ReplayStore {
  /** Adds an id unless it is there and has not expired. One atomic step. @returns whether it was added */
  add(id: string, expiresAt: Date): Promise<boolean>;
  /** @returns whether an id is there and has not expired */
  has(id: string): Promise<boolean>;
  remove(id: string): Promise<void>;
}

/** Remembers the latest ids in this process only. They are lost when it ends. */
export class MemoryReplayStore implements ReplayStore {
  /** When each id expires, the oldest entry first. */
  private readonly ids = new Map<string, number>();
  private readonly max: number;
  private readonly now: () => number;

  /** @param options max: how many ids are kept; beyond that the oldest are forgotten (100,000 by default) */
  constructor({ max = 100_000, now = Date.now }: { max?: number; now?: () => number } = {}) {
    this.max = max;
    this.now = now;
  }

  add(id: string, expiresAt: Date): Promise<boolean> {
    if (this.isThere(id)) return Promise.resolve(false);
    this.ids.delete(id);
    this.ids.set(id, expiresAt.getTime());
    for (const oldest of this.ids.keys()) {
      if (this.ids.size <= this.max) break;
      this.ids.delete(oldest);
    }
    return Promise.resolve(true);
  }

  has(id: string): Promise<boolean> {
    return Promise.resolve(this.isThere(id));
  }

  remove(id: string): Promise<void> {
    this.ids.delete(id);
    return Promise.resolve();
  }

  private isThere(id: string): boolean {
    return (this.ids.get(id) ?? 0) > this.now();
  }
}
