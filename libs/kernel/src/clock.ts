/** The time, given to whoever needs it, so that a test can be its master. */
export interface Clock {
  now(): Date;
  /** A test has set the time. Statements then take it too, instead of the database's. */
  readonly setByHand?: boolean;
}

export const systemClock: Clock = { now: () => new Date() };
