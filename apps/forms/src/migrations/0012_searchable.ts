import type { Migration } from '@sheaf/postgres';

export const searchable: Migration = {
  name: '0012_searchable',
  up: (db) =>
    db.raw(`
      -- Whether the answers of a form can be searched.
      alter table form_keeping add column searchable boolean not null default true;
    `),
};
