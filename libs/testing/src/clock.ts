import type { Clock } from '@sheaf/kernel';

/** A clock that advances only when a test sets it. */
export class TestClock implements Clock {
  readonly setByHand = true;

  constructor(private time: Date = new Date('2026-06-01T12:00:00.000Z')) {}

  now(): Date {
    return new Date(this.time);
  }

  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }

  set(time: string): void {
    this.time = new Date(time);
  }
}
