import type { Migration } from '@sheaf/postgres';

export const notes: Migration = {
  name: '0016_notes',
  up: (db) =>
    db.raw(`
      -- How many notes it has, so that lists need not count them.
      alter table submission add column notes integer not null default 0;

      -- What members write about a submission, for one another.
      create table note (
        submission_id uuid not null references submission,
        id uuid not null,
        text text not null,
        author_kind text not null,
        author_id uuid not null,
        created_at timestamptz not null,
        -- Null as long as it is as it was written first.
        edited_at timestamptz,
        primary key (submission_id, id)
      );
    `),
};
