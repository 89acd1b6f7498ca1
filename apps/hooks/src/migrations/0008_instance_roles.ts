import type { Migration } from '@sheaf/postgres';

export const instanceRoles: Migration = {
  name: '0008_instance_roles',
  up: (db) =>
    db.raw(`
      -- The role of a person in the whole instance: 'owner', 'admin' or 'none'. Null if nothing has told it yet, as in rows of the version before.
      alter table standing add column instance_role text;
    `),
};
