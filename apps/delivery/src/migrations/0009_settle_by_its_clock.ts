import type { Migration } from '@sheaf/postgres';

/** Made the function settle_attempts that takes the moment, which 0011_what_was_sent makes now. Nothing in between calls it. */
export const settleByItsClock: Migration = { name: '0009_settle_by_its_clock', up: () => Promise.resolve() };
