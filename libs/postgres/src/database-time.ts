import type { Clock } from '@sheaf/kernel';

/**
 * SQL for the time of a transaction by the database's clock, which all copies of a service share, however far apart their own clocks are.
 * It is truncated to milliseconds so that JavaScript can return it unchanged. The binding is `momentOf` the clock.
 */
export const databaseTime = (binding = ':moment'): string => `date_trunc('milliseconds', coalesce(cast(${binding} as timestamptz), now()))`;

/** SQL for a time as text in UTC, with the microseconds that a Date would lose. */
export const exactTime = (time: string): string => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The time set by a test, or null to use the database's clock. */
export const momentOf = (clock: Clock): Date | null => (clock.setByHand ? clock.now() : null);
