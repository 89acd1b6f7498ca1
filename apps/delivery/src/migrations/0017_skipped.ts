import type { Migration } from '@sheaf/postgres';

/** Deliveries of events from while their subscription was switched off, which can be sent afterwards. */
export const skipped: Migration = {
  name: '0017_skipped',
  up: (db) =>
    db.raw(`
      -- Its name, as 0002_queue_and_log made it while the table before still had one.
      alter table delivery drop constraint delivery_state_check1;
      -- Not validated, which would read the whole log: the constraint before allowed less.
      alter table delivery add constraint delivery_state_check
        check (state in ('pending', 'succeeded', 'failed', 'cancelled', 'skipped')) not valid;
    `),
};
