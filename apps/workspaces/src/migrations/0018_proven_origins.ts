import type { Migration } from '@sheaf/postgres';

/** The address at which somebody who manages an instance has signed in: see link-origin.ts. */
export const provenOrigins: Migration = {
  name: '0018_proven_origins',
  up: (db) => db.raw('alter table instance add column proven_origin text'),
};
