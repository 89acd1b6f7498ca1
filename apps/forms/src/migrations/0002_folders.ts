import type { Migration } from '@sheaf/postgres';

export const folders: Migration = {
  name: '0002_folders',
  up: (db) =>
    db.raw(`
      -- Folders belong to workspaces. Kept here are those that a form was ever put into, to know which of them are gone: a form that
      -- is on its way into a folder while that is deleted must not stay there.
      create table folder (
        id uuid primary key,
        is_deleted boolean not null
      );

      alter table form add column folder_id uuid references folder;
      create index form_in_folder on form (folder_id, id) where folder_id is not null;
    `),
};
