import type { Migration } from '@sheaf/postgres';

/** It also replaced the function look_for_due, which 0011_what_was_sent makes now. */
export const endings: Migration = {
  name: '0010_endings',
  up: (db) =>
    db.raw(`
      -- The order in which deliveries were queued, whatever the clocks say. Null for those of before.
      create sequence queue_place;
      alter table queue add column place bigint;
      alter table queue alter column place set default nextval('queue_place');

      -- Subscriptions that ended with more deliveries waiting than could be cancelled at once: those up to this place are still to be cancelled.
      create table ending (
        subscription_id uuid primary key references subscription,
        upto bigint not null,
        reason text not null
      );

      -- Why a delivery failed without an attempt, or was cancelled.
      alter table delivery add column reason text;

      -- Since when all attempts have failed, and when one did so last, give or take an hour. Null after a success.
      alter table turn add column failing_since timestamptz, add column failed_at timestamptz;
    `),
};
