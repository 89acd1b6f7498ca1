import { buildIndex, type Migration } from '@sheaf/postgres';

export const searchable: Migration = {
  name: '0022_searchable',
  up: (db) =>
    db.raw(`
      -- Whether the search index may have submissions of the form.
      alter table form_keeping add column searchable boolean not null default true;

      -- Forms for which searching was switched off or on. What the index has of them is deleted first; after_created_at is null until then. If
      -- they can be searched, their submissions are indexed next, from the oldest on, and this is how far they are.
      create table reindex (form_id uuid primary key, after_created_at timestamptz, after_id uuid);
    `),
};

/** Finds submissions in the trash and spam by their arrival, so that a form can be indexed in steps. A listed submission does not enter it. */
export const submissionsApart: Migration = {
  name: '0023_submissions_apart',
  transaction: 'none',
  up: (db) =>
    buildIndex(db, 'submission_apart', 'on submission (form_id, created_at, id) where deleted_at is not null or spam_at is not null'),
};
