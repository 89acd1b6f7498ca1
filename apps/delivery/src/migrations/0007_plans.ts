import type { Migration } from '@sheaf/postgres';

/** It also replaced the function look_for_due, which 0011_what_was_sent makes now. */
export const plans: Migration = {
  name: '0007_plans',
  up: (db) =>
    db.raw(`
      -- Of a queue that was nearly empty when it was cleaned up PostgreSQL thinks that each index is as good as any other. So no index but one fits
      -- what is asked of a subscription.
      drop index queue_due;
    `),
};
