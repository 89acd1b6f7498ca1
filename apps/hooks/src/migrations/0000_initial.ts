import { outboxTable } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0000_initial',
  replaces: [
    '0000_outbox',
    '0001_initial',
    '0002_audit',
    '0003_webhooks',
    '0000_outbox_trace',
    '0000_outbox_order',
    '0004_standing',
    '0006_erased_people',
    '0007_wide_webhooks',
  ],
  up: (db) =>
    db.raw(`
      ${outboxTable}

      create table subscription (
        id uuid primary key,
        instance_id uuid not null,
        -- Null for a webhook of a workspace (workspace_id) or of the whole instance (neither).
        form_id uuid,
        event text not null
          check (event in ('submission.created', 'submission.status_changed', 'submission.deleted', 'submission.updated')),
        url text not null,
        -- SHA-256 of the URL: the URL itself can be longer than what fits into an index.
        url_hash bytea not null,
        -- The platform that subscribed; absent for a webhook that was made in the application.
        source text,
        subscriber_kind text not null check (subscriber_kind in ('user', 'service_account')),
        subscriber_id uuid not null,
        active boolean not null,
        -- Grows with every change; who hears of two of them keeps the higher one.
        revision integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        -- Of the form, which never leaves its workspace: whose owners and admins read in the audit log of what happens to a subscription,
        -- also where nobody asks \`forms\` on the way. Null for those that were made before it was noted.
        workspace_id uuid,
        -- Who made the form. Null for subscriptions from before it was noted.
        form_creator_id uuid,
        -- Whoever asked for it last, after the subscriber: by subscribing again, switching it on, or giving it another target.
        renewed_by_kind text check (renewed_by_kind in ('user', 'service_account')),
        renewed_by_id uuid,
        -- The events after the first one, which is in event.
        more_events text[] not null default '{}',
        payload text not null default 'contract',
        -- The origin at which links in named payloads are reached.
        link_origin text,
        -- Null while it is active, and if an earlier release deactivated it.
        deactivated_reason text,
        deactivated_at timestamptz,
        -- The last failure of one that failed for too long.
        deactivated_detail text,
        -- Webhooks of the application have no source, and to this constraint null equals nothing: webhook_same is for them.
        constraint subscription_same unique (form_id, event, source, url_hash)
      );
      create unique index webhook_same on subscription (form_id, event, url_hash) where source is null;
      create index subscription_listening on subscription (form_id, event) where active;
      create index subscription_of_subscriber on subscription (subscriber_id, id) where active;
      create index subscription_of_renewer on subscription (renewed_by_id, id) where active;
      create index subscription_wide on subscription (instance_id, workspace_id) where form_id is null;
      -- Find everything of a person who is erased, also what is no longer active.
      create index subscription_of_person on subscription (subscriber_id, id);
      create index subscription_renewed_by on subscription (renewed_by_id, id) where renewed_by_id is not null;

      -- The roles and scopes of everybody of whom \`workspaces\` has told that they changed, or who subscribed since.
      create table standing (
        principal_id uuid not null,
        instance_id uuid not null,
        -- Workspace id -> role; for a person without a membership and for service accounts empty.
        roles jsonb not null,
        scopes text[] not null,
        -- When the event happened that told it; null if it comes from the token of a caller.
        told_at timestamptz,
        primary key (instance_id, principal_id)
      );

      -- The roles that people were granted on forms, of which the same is true. A grant that was revoked is a row without a role.
      create table known_grant (
        form_id uuid not null,
        user_id uuid not null,
        role text,
        told_at timestamptz,
        primary key (form_id, user_id)
      );
      create index known_grant_of_person on known_grant (user_id, form_id);

      -- The workspaces of forms, of instances in which that decides who listens. Moves keep it up to date.
      create table form_place (
        form_id uuid primary key,
        workspace_id uuid not null
      );
    `),
};
