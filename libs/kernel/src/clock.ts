/** The time, given to whoever needs it, so that a test can be its master. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
