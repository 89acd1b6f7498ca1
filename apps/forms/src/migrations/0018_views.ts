import type { Migration } from '@sheaf/postgres';

export const views: Migration = {
  name: '0018_views',
  up: (db) =>
    db.raw(`
      -- Lists of submissions that are kept under a name. An earlier version that erases a form knows nothing of them: they go with it.
      create table submission_view (
        id uuid primary key,
        form_id uuid not null references form on delete cascade,
        -- The person whose own it is; null for one that is shared.
        owner_id uuid,
        name text not null,
        pinned boolean not null,
        position integer not null,
        search text not null,
        columns text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index submission_view_name_key
          on submission_view (form_id, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), name);
      create index submission_view_by_owner on submission_view (owner_id) where owner_id is not null;
    `),
};
