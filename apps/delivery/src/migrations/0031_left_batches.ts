import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';
import { settleAttempts } from '../database/settle-attempts.sql';

/** Deliveries that have left a batch keep their pause; those that had no place in it need none. */
export const leftBatches: Migration = {
  name: '0031_left_batches',
  up: (db) => db.raw(`${settleAttempts} ${lookForDue}`),
};
