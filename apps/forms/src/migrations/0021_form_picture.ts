import type { Migration } from '@sheaf/postgres';

export const formPicture: Migration = {
  name: '0021_form_picture',
  up: (db) =>
    db.raw(`
      -- The pictures of options. An earlier release that erases a form knows nothing of them: they go with it.
      create table form_picture (
        form_id uuid not null references form on delete cascade,
        -- The SHA-256 of the bytes.
        id text not null,
        type text not null,
        bytes bytea not null,
        -- Whether a version has it. Such a picture stays for as long as its form, as the version does.
        is_published boolean not null default false,
        -- When a draft was last saved with it, or without it for the first time.
        used_at timestamptz not null,
        primary key (form_id, id)
      );
      create index form_picture_unpublished on form_picture (used_at) where not is_published;
    `),
};
