import { buildIndex, type Migration } from '@sheaf/postgres';

export const corrections: Migration = {
  name: '0011_corrections',
  up: (db) =>
    db.raw(`
      alter table submission
        -- When anything about it last changed; null as long as it is as it arrived.
        add column changed_at timestamptz,
        -- The person who takes care of it.
        add column assignee uuid,
        -- How often its answers were corrected.
        add column revision integer not null default 0,
        -- The language tag of the page on which it was filled in, if the client sent one.
        add column language text;

      -- Answers that a correction replaced, and that correction. Number 0 has the answers as they were accepted.
      create table submission_revision (
        submission_id uuid not null references submission,
        number integer not null,
        data json not null,
        changed_by_kind text not null,
        changed_by_id uuid not null,
        reason text,
        changed_at timestamptz not null,
        primary key (submission_id, number)
      );
    `),
};

/** A submission enters this index with its first change, so storing one costs nothing more. */
export const changedSubmissions: Migration = {
  name: '0012_changed_submissions',
  transaction: 'none',
  up: (db) => buildIndex(db, 'submission_by_change', 'on submission (form_id, changed_at, id) where changed_at is not null'),
};
