import type { Migration } from '@sheaf/postgres';

export const erasing: Migration = {
  name: '0020_erasing',
  up: (db) =>
    db.raw(`
      -- How long forms keep their submissions, as the service of forms has told. A form without a row keeps all of them.
      create table form_keeping (
        form_id uuid primary key,
        instance_id uuid not null,
        workspace_id uuid not null,
        -- Nothing of the form is erased.
        legal_hold boolean not null,
        -- Days after which each is erased; null for never.
        trash_days integer,
        submissions_days integer,
        files_days integer
      );

      -- Erasures that are not complete here: a file, or a part of the search index, may still have what was erased.
      create table erasure (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- The whole form is erased: as long as it has submissions, more are to be deleted.
        whole_form boolean not null,
        -- What was deleted so far.
        submissions integer not null,
        files integer not null,
        begun_at timestamptz not null,
        -- When everything was gone. That of a form is watched a little longer, for submissions of copies that had not heard of it.
        confirmed_at timestamptz
      );
      create table erased_file (
        erasure_id uuid not null references erasure on delete cascade,
        file_id uuid not null,
        primary key (erasure_id, file_id)
      );
      -- Chunks of the search index that had an erased submission.
      create table stale_chunk (
        erasure_id uuid not null references erasure on delete cascade,
        form_id uuid not null,
        number integer not null,
        primary key (erasure_id, form_id, number)
      );
    `),
};
