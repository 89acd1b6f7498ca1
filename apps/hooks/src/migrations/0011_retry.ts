import type { Migration } from '@sheaf/postgres';

export const retry: Migration = {
  name: '0011_retry',
  up: (db) =>
    db.raw(`
      -- The name of the retry schedule of a webhook. Null for the standard one, as in rows of the version before, and for the subscriptions of platforms.
      alter table subscription add column retry text;
    `),
};
