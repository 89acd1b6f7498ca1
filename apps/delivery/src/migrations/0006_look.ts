import type { Migration } from '@sheaf/postgres';

/** Made the function look_for_due, which 0011_what_was_sent makes now. Nothing in between calls it. */
export const look: Migration = { name: '0006_look', up: () => Promise.resolve() };
