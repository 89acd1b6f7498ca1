const FIRST_MS = 250;
const LONGEST_MS = 10_000;
/** A process that lived this long was healthy: after its next death the delays start over. */
const WELL_MS = 10_000;

/**
 * How long to wait before a restart.
 * @param previousMs the delay before the last start, 0 if there was none
 * @param livedMs how long the process ran after that
 */
export const nextDelay = (previousMs: number, livedMs: number): number =>
  livedMs >= WELL_MS ? FIRST_MS : Math.min(Math.max(previousMs * 2, FIRST_MS), LONGEST_MS);
