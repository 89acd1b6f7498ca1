import type { Clock } from '@sheaf/kernel';

/**
 * SQL for the time of a transaction by the clock of the database, which all copies of a service share, however far their own clocks are
 * apart. To the millisecond, so that JavaScript can hand it back unchanged. The binding is `momentOf` the clock.
 */
export const databaseTime = (binding = ':moment'): string => `date_trunc('milliseconds', coalesce(cast(${binding} as timestamptz), now()))`;

/** Null lets the clock of the database count. */
export const momentOf = (clock: Clock): Date | null => (clock.setByHand ? clock.now() : null);
