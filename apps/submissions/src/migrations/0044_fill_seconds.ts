import type { Migration } from '@sheaf/postgres';

/** The time from the opening of a form to its answers. An earlier release, which stores submissions beside this one, leaves it empty. */
export const fillSeconds: Migration = {
  name: '0044_fill_seconds',
  up: (db) => db.raw('alter table submission add column fill_seconds integer'),
};
