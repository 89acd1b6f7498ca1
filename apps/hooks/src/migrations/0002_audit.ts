import type { Migration } from '@sheaf/postgres';

export const audit: Migration = {
  name: '0002_audit',
  up: (db) =>
    db.raw(`
      -- Of the form, which never leaves its workspace: whose owners and admins read in the audit log of what happens to a subscription,
      -- also where nobody asks \`forms\` on the way. Null for those that were made before.
      alter table subscription add column workspace_id uuid;
    `),
};
