import type { Migration } from '@sheaf/postgres';

export const webhooks: Migration = {
  name: '0003_webhooks',
  up: (db) =>
    db.raw(`
      -- Webhooks of the application do not repeat themselves either: to the constraint of 0001 null equals nothing.
      create unique index webhook_same on subscription (form_id, event, url_hash) where source is null;
    `),
};
