const FIRST_MS = 250;
const LONGEST_MS = 10_000;
/** Who lived this long was well: its next death starts the count anew. */
const WELL_MS = 10_000;

/**
 * How long to wait before a process is started again.
 * @param previousMs the wait before its last start, 0 if there was none
 * @param livedMs how long it ran after that
 */
export const nextDelay = (previousMs: number, livedMs: number): number =>
  livedMs >= WELL_MS ? FIRST_MS : Math.min(Math.max(previousMs * 2, FIRST_MS), LONGEST_MS);
