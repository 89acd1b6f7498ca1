import type { Migration } from '@sheaf/postgres';

export const holders: Migration = {
  name: '0009_holders',
  up: (db) =>
    db.raw(`
      -- Who created a webhook whose subscriber is whoever changed later where or what it sends. Null if that is the same one.
      alter table subscription
        add column creator_kind text check (creator_kind in ('user', 'service_account')),
        add column creator_id uuid;
    `),
};
