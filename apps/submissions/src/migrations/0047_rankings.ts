import type { Migration } from '@sheaf/postgres';

/** The rankings among the fields of a version. An earlier release, which publishes none, leaves them empty. */
export const rankings: Migration = {
  name: '0047_rankings',
  up: (db) =>
    db.raw(`
      alter table insight_version add column rankings text[] not null default '{}';
      alter table insight_version_by_id add column rankings text[] not null default '{}';
    `),
};
