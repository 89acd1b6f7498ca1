import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';
import { lookForPlain } from '../database/look-for-plain.sql';
import { settleAttempts } from '../database/settle-attempts.sql';

/**
 * Batches of deliveries. To processes of the version before, a webhook with batches is switched off, as any with options; and look_for_due does not show
 * them what is to be sent in a batch.
 */
export const batches: Migration = {
  name: '0030_batches',
  up: (db) =>
    db.raw(`
      alter table queue
        -- Whether it is sent in a batch, as decided when it was queued; null for most, which are sent singly.
        add column batched boolean,
        -- The batch, once that is closed: its deliveries are sent together until they end.
        add column batch_id uuid;
      create index queue_gathering on queue (subscription_id, place) where batched and batch_id is null;
      create index queue_batch on queue (batch_id) where batch_id is not null;

      alter table attempt
        -- The batch that was sent, which is the \`webhook-id\` of the request.
        add column batch_id uuid,
        -- The delivery of the batch whose attempt has the headers, the response and the connection: a batch is one request.
        add column told_by uuid;

      ${settleAttempts}
      ${lookForDue}
      ${lookForPlain}
    `),
};
