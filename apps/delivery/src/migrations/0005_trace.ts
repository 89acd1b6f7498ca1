import type { Migration } from '@sheaf/postgres';

export const trace: Migration = {
  name: '0005_trace',
  up: (db) =>
    db.raw(`
      -- What each attempt belongs to, whenever and wherever it is made; null for an event of no trace.
      alter table event add column traceparent text;
    `),
};
