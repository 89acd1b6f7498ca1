import type { Migration } from '@sheaf/postgres';

export const entered: Migration = {
  name: '0017_entered',
  up: (db) =>
    db.raw(`
      -- The member who entered it on somebody's behalf; null if a respondent sent it.
      alter table submission add column entered_by_kind text, add column entered_by_id uuid;
    `),
};
