import type { Migration } from '@sheaf/postgres';

export const moreEvents: Migration = {
  name: '0013_more_events',
  up: (db) =>
    db.raw(`
      -- The events that only webhooks of the application can listen to. The requests are checked before; this is for mistakes of our own.
      alter table subscription drop constraint subscription_event_check;
      alter table subscription add constraint subscription_event_check check (event in (
        'submission.created', 'submission.status_changed', 'submission.deleted', 'submission.updated',
        'submission.restored', 'submission.corrected', 'submission.spam_changed'));
    `),
};
