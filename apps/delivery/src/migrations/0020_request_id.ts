import { outboxRequestId } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';

export const requestId: Migration = {
  name: '0020_request_id',
  up: (db) =>
    db.raw(`
      ${outboxRequestId}

      -- The request that caused the event; null for one of no request, and for those that an earlier version plans.
      alter table event add column request_id text;

      ${lookForDue}
    `),
};
