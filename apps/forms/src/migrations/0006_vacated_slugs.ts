import type { Migration } from '@sheaf/postgres';

export const vacatedSlugs: Migration = {
  name: '0006_vacated_slugs',
  up: (db) =>
    db.raw(`
      -- The last form that gave up a slug: for a while no other form may take it, or it would receive the answers to the old one.
      create table vacated_slug (
        instance_id uuid not null,
        slug text not null,
        form_id uuid not null,
        vacated_at timestamptz not null,
        primary key (instance_id, slug)
      );
      create index vacated_slug_by_age on vacated_slug (vacated_at);
    `),
};
