import type { Migration } from '@sheaf/postgres';

export const promisedRoles: Migration = {
  name: '0020_promised_roles',
  // The version before records only owners. `forms` tells the other grants again.
  up: (db) =>
    db.raw(`
      alter table promised_form add column role text not null default 'owner' check (role in ('owner', 'editor', 'viewer'));
    `),
};
