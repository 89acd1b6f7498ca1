import type { Migration } from '@sheaf/postgres';

export const announced: Migration = {
  name: '0002_announced',
  up: (db) =>
    db.raw(`
      -- When submission.created was recorded. It is told once: spam that is released and payments that complete look here.
      alter table submission add column announced_at timestamptz;
      update submission set announced_at = created_at;
    `),
};
