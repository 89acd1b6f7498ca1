import type { Migration } from '@sheaf/postgres';

export const instanceKeeping: Migration = {
  name: '0025_instance_keeping',
  up: (db) =>
    db.raw(`
      -- How long the forms of an instance keep their submissions, where they do not say it themselves. Without a row, for ever.
      create table instance_keeping (
        instance_id uuid primary key,
        -- Days after which each is erased; null for never.
        trash_days integer,
        submissions_days integer,
        files_days integer
      );
    `),
};
