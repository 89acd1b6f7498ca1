import type { Migration } from '@sheaf/postgres';
import { lookForDue } from '../database/look-for-due.sql';
import { lookForPlain } from '../database/look-for-plain.sql';

/** Options of webhooks, which processes of the version before must not send without. */
export const options: Migration = {
  name: '0023_options',
  up: (db) =>
    db.raw(`
      alter table subscription
        -- \`WebhookOptions\`, as of this revision; null for none. They count only if the row still has this revision, because processes of the version
        -- before change rows without them.
        add column options jsonb,
        add column options_revision integer,
        -- The state of the subscription. \`state\` is the same, but 'inactive' for one with options: processes of the version before read that, and record
        -- its events as skipped in place of sending them without the options.
        add column options_state text;

      -- The keys of instances, with which secrets of webhooks are sealed, wrapped with a secret of the deployment.
      create table sealing_key (
        instance_id uuid not null,
        -- Names the secret that wraps it.
        secret_id text not null,
        wrapped bytea not null,
        added_at timestamptz not null,
        primary key (instance_id, secret_id)
      );

      ${lookForDue}
      ${lookForPlain}
    `),
};
