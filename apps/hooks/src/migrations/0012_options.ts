import type { Migration } from '@sheaf/postgres';

export const options: Migration = {
  name: '0012_options',
  up: (db) =>
    db.raw(`
      -- \`WebhookOptions\`: what a webhook has beyond an address, events and a payload. Null for none. Values that are secret are sealed by \`delivery\`.
      alter table subscription add column options jsonb;
    `),
};
