import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';

export const listened: Migration = {
  name: '0019_listened',
  up: (db) =>
    db.raw(`
      alter table subscription
        -- All events that it listens to, as of this revision. Null if they are not known; they count only if the row still has this revision, because
        -- processes of the version before change rows without them.
        add column events text[],
        add column events_revision integer;

      ${lookForDue}
    `),
};
