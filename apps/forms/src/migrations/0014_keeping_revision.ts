import type { Migration } from '@sheaf/postgres';

export const keepingRevision: Migration = {
  name: '0014_keeping_revision',
  // Counts the changes, so that the service of submissions can tell an earlier one that arrives once more.
  up: (db) => db.raw('alter table form_keeping add column revision integer not null default 0'),
};
