import type { Migration } from '@sheaf/postgres';

export const initial: Migration = {
  name: '0001_initial',
  up: (db) =>
    db.raw(`
      create table subscription (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
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
        -- Webhooks of the application have no source and are free to repeat themselves: null equals nothing here.
        constraint subscription_same unique (form_id, event, source, url_hash)
      );
      create index subscription_listening on subscription (form_id, event) where active;
    `),
};
