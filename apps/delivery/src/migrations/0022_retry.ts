import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';

export const retry: Migration = {
  name: '0022_retry',
  up: (db) =>
    db.raw(`
      alter table subscription
        -- The name of its retry schedule, as of this revision. Null for the subscription of a platform, and if it is not known; it counts only if the
        -- row still has this revision, because processes of the version before change rows without it.
        add column retry text,
        add column retry_revision integer;

      ${lookForDue}
    `),
};
