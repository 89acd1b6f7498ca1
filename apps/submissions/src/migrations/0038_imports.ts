import type { Migration } from '@sheaf/postgres';

/** Submissions that came from a file: see docs/decisions/0070-importing-submissions.md. */
export const imports: Migration = {
  name: '0038_imports',
  up: (db) =>
    db.raw(`
      -- Stored together with its submissions, so that a repeated request finds it if, and only if, they are there.
      create table submission_import (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        -- With the caller in it, whose keys are apart from those of others.
        key text not null,
        -- Of the file and of how it was to be read.
        fingerprint bytea not null,
        caller_kind text not null,
        caller_id uuid not null,
        imported integer not null,
        left_out integer not null,
        events boolean not null,
        created_at timestamptz not null,
        unique (form_id, key)
      );

      -- Null for a submission that came in another way.
      alter table submission add column import_id uuid;
    `),
};
