import type { RetrySchedule } from '@sheaf/contracts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const throughDay = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 4 * hourMs, 6 * hourMs, 12 * hourMs];

/**
 * The pauses that follow those of `RETRY_DELAYS_MS`, from the failure on. None is longer than half a day: `SUBSCRIPTION_FAILING_DAYS` takes two failures
 * that are further apart than its days for separate ones. Jitter would help nobody: the retries of one subscription wait for its few slots anyway.
 */
const laterPausesMs: Record<RetrySchedule, readonly number[]> = {
  standard: [],
  day: throughDay,
  three_days: [...throughDay, 12 * hourMs, 12 * hourMs, 12 * hourMs, 12 * hourMs],
};

/** A subscriber may ask for a longer pause than its schedule has, but for no longer one than this. */
export const longestRetryAfterMs = hourMs;

/** The pause before each retry. @param retry null for the subscription of a platform, which has the attempts of the contract. */
export const pausesOf = (retry: RetrySchedule | null, standardMs: readonly number[]): readonly number[] =>
  retry === null ? standardMs : [...standardMs, ...laterPausesMs[retry]];

/** The same in SQL, of a column that has the name of a schedule. */
export const laterPausesOf = (column: string): string =>
  `case ${column} ${Object.entries(laterPausesMs)
    .filter(([, pauses]) => pauses.length > 0)
    .map(([name, pauses]) => `when '${name}' then array[${pauses.join(', ')}]`)
    .join(' ')} else cast('{}' as integer[]) end`;
