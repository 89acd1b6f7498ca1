import type { Migration } from '@sheaf/postgres';

export const standing: Migration = {
  name: '0004_standing',
  up: (db) =>
    db.raw(`
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

      alter table subscription
        -- Who made the form. Null for subscriptions of the version before.
        add column form_creator_id uuid,
        -- Whoever asked for it last, after the subscriber: by subscribing again, switching it on, or giving it another target.
        add column renewed_by_kind text check (renewed_by_kind in ('user', 'service_account')),
        add column renewed_by_id uuid;
      create index subscription_of_subscriber on subscription (subscriber_id, id) where active;
      create index subscription_of_renewer on subscription (renewed_by_id, id) where active;
    `),
};
