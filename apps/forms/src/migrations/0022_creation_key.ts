import type { Migration } from '@sheaf/postgres';

/** A repeated request to create a form gets the form that the first one created. */
export const creationKey: Migration = {
  name: '0022_creation_key',
  up: (db) =>
    db.raw(`
      -- The SHA-256 of the creator and their idempotency key, and that of what was asked for. Null for a form that was created without a key.
      alter table form add column creation_key bytea;
      alter table form add column creation_request bytea;
      create unique index form_creation_key on form (creation_key);
    `),
};
