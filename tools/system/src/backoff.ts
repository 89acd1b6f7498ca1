const FIRST_MS = 250;
const MAX_MS = 10_000;
/** A process that ran this long was healthy, so the delays start over when it next dies. */
const HEALTHY_AFTER_MS = 10_000;

/**
 * How long to wait before a restart.
 * @param previousMs the delay before the last start, 0 if there was none
 * @param uptimeMs how long the process then ran
 */
export const nextDelay = (previousMs: number, uptimeMs: number): number =>
  uptimeMs >= HEALTHY_AFTER_MS ? FIRST_MS : Math.min(Math.max(previousMs * 2, FIRST_MS), MAX_MS);
