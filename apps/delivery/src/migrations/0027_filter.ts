import type { Migration } from '@sheaf/postgres';
import { settleAttempts } from '../database/settle-attempts.sql';

/** Filters of webhooks. Processes of the version before plan nothing for webhooks that have one: to them, these are switched off. */
export const filter: Migration = {
  name: '0027_filter',
  up: (db) =>
    db.raw(`
      -- The subscriptions to which the event was not sent because of their filters: [{id, part}]. No answers are in it.
      alter table event add column withheld jsonb;
      -- How many events the filter has kept from it, and when the last one was planned.
      alter table subscription
        add column withheld_count bigint not null default 0,
        add column withheld_at timestamptz;

      ${settleAttempts}
    `),
};
