/** Random choices determined by a seed (mulberry32), so that a run can be reproduced. */
export class Choices {
  constructor(private state: number) {}

  /** At least 0 and below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.integer(0, items.length - 1)] ?? items[0];
  }

  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((item) => [this.next(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A generator for one actor, whose choices do not depend on the progress of the others. */
  branch(): Choices {
    return new Choices(this.integer(0, 2 ** 32 - 1));
  }
}
