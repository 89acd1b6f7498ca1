import type { Migration } from '@sheaf/postgres';

/** When this system was restored from a backup: nobody knows what became of earlier events. */
export const restored: Migration = {
  name: '0021_restored',
  up: (db) => db.raw('create table restored (at timestamptz primary key)'),
};
