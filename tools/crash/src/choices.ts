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

  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  one<T>(among: readonly [T, ...T[]]): T {
    return among[this.whole(0, among.length - 1)] ?? among[0];
  }

  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => [this.next(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }

  /** A generator for one actor, whose choices do not depend on the progress of the others. */
  branch(): Choices {
    return new Choices(this.whole(0, 2 ** 32 - 1));
  }
}
