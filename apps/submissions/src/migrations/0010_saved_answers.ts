import type { Migration } from '@sheaf/postgres';

export const savedAnswers: Migration = {
  name: '0010_saved_answers',
  up: (db) =>
    db.raw(`
      -- Answers that a respondent saved to send them later. A page has encrypted them with a key derived from the token in the respondent's
      -- link, and named them by the token's SHA-256, so nobody who reads this table can read them.
      create table saved_answers (
        form_id uuid not null,
        name bytea not null check (octet_length(name) = 32),
        sealed bytea not null check (octet_length(sealed) between 1 and 1500000),
        -- The uploaded files among the answers.
        file_ids uuid[] not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        -- What it takes up, roughly.
        bytes integer not null generated always as (200 + octet_length(sealed) + 16 * cardinality(file_ids)) stored,
        primary key (form_id, name)
      );
      -- What is encrypted does not compress.
      alter table saved_answers alter column sealed set storage external;
      create index saved_answers_expiry on saved_answers (expires_at);
      create index saved_answers_by_file on saved_answers using gin (file_ids);

      -- How many bytes the saved answers of a form take up. Every writer locks the row of the form first.
      create table saved_bytes (
        form_id uuid primary key,
        bytes bigint not null
      );

      -- An unclaimed file among saved answers is kept as long as they are.
      alter table file add column kept_until timestamptz;
    `),
};
