import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';

export const held: Migration = {
  name: '0012_held',
  up: (db) =>
    db.raw(`
      -- Whether the turn was put off because the instance has spent its budget: something may be due before it.
      alter table turn add column held boolean not null default false;

      -- Beside the one that the version before goes on calling.
      ${lookForDue}
    `),
};
