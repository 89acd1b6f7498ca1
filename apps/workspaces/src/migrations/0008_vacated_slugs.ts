import type { Migration } from '@sheaf/postgres';

export const vacatedSlugs: Migration = {
  name: '0008_vacated_slugs',
  up: (db) =>
    db.raw(`
      -- The last workspace that gave up a slug: for a while nobody else may take it, or they would receive what still goes to the old host.
      create table vacated_slug (
        slug text primary key,
        workspace_id uuid not null,
        vacated_at timestamptz not null
      );
      create index vacated_slug_by_age on vacated_slug (vacated_at);
    `),
};
