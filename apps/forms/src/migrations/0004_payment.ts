import type { Migration } from '@sheaf/postgres';

export const payment: Migration = {
  name: '0004_payment',
  up: (db) =>
    db.raw(`
      -- What each submission costs, as JSON; null for nothing. A version keeps its own, as it keeps its fields.
      alter table draft add column payment text;
      alter table version add column payment text;
    `),
};
