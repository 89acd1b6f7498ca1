/** The current time, injected so that tests can control it. */
export interface Clock {
  now(): Date;
  /** Set by tests. SQL statements then use this clock instead of the database's. */
  readonly setByHand?: boolean;
}

export const systemClock: Clock = { now: () => new Date() };
