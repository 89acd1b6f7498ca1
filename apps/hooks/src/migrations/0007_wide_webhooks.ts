import { buildIndex, type Migration } from '@sheaf/postgres';

/** Webhooks of workspaces and instances, for several events, with a choice of payload, and the reason why one is inactive. */
export const wideWebhooks: Migration = {
  name: '0007_wide_webhooks',
  transaction: 'none',
  up: async (db) => {
    await db.raw(`
      alter table subscription
        -- Null for a webhook of a workspace (workspace_id) or of the whole instance (neither).
        alter column form_id drop not null,
        -- The events after the first one, which is in event.
        add column if not exists more_events text[] not null default '{}',
        add column if not exists payload text not null default 'contract',
        -- The origin at which links in named payloads are reached.
        add column if not exists link_origin text,
        -- Null while it is active, and if an earlier release deactivated it.
        add column if not exists deactivated_reason text,
        add column if not exists deactivated_at timestamptz,
        -- The last failure of one that failed for too long.
        add column if not exists deactivated_detail text;

      -- The workspaces of forms, of instances in which that decides who listens. Moves keep it up to date.
      create table if not exists form_place (
        form_id uuid primary key,
        workspace_id uuid not null
      );
    `);
    await buildIndex(db, 'subscription_wide', 'on subscription (instance_id, workspace_id) where form_id is null');
  },
};
