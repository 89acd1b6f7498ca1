import type { Migration } from '@sheaf/postgres';
import { countDeliveries } from '../database/count-deliveries.sql';

export const initial: Migration = {
  name: '0001_initial',
  up: (db) =>
    db.raw(`
      -- Every event that was planned, so that none is planned twice however often the broker brings it.
      create table event (
        id uuid primary key,
        type text not null,
        instance_id uuid not null,
        form_id uuid not null,
        occurred_at timestamptz not null,
        -- What is sent, to the byte.
        body text not null
      );

      -- A copy of what hooks owns. A removed one stays, so that older news of it cannot bring it back.
      create table subscription (
        id uuid primary key,
        instance_id uuid not null,
        form_id uuid not null,
        url text not null,
        state text not null check (state in ('active', 'inactive', 'deleted')),
        revision integer not null
      );

      create table delivery (
        id uuid primary key,
        event_id uuid not null references event,
        subscription_id uuid not null references subscription,
        form_id uuid not null,
        state text not null check (state in ('pending', 'succeeded', 'failed', 'cancelled')),
        -- Attempts that were begun.
        attempts integer not null,
        -- While pending: when the next attempt is due; null once the last one was begun.
        next_attempt_at timestamptz,
        -- While an attempt is under way: when it counts as lost together with the process that made it.
        busy_until timestamptz,
        created_at timestamptz not null,
        settled_at timestamptz,
        constraint delivery_once unique (event_id, subscription_id)
      );
      create index delivery_waiting on delivery (subscription_id, next_attempt_at, id) where state = 'pending';
      create index delivery_due on delivery (next_attempt_at) where state = 'pending';
      create index delivery_last_attempt on delivery (busy_until) where state = 'pending' and next_attempt_at is null;
      -- Their order is that of the log: an id grows with time.
      create index delivery_of_form on delivery (form_id, id);
      create index delivery_of_form_by_state on delivery (form_id, state, id);
      create index delivery_of_subscription on delivery (subscription_id, id);
      create index delivery_of_subscription_by_state on delivery (subscription_id, state, id);

      create table attempt (
        delivery_id uuid not null references delivery,
        number integer not null,
        started_at timestamptz not null,
        duration_ms integer,
        status integer,
        error text,
        primary key (delivery_id, number)
      );

      -- How many deliveries there are, so that a list can tell its total without counting.
      create table delivery_count (
        form_id uuid not null,
        subscription_id uuid not null,
        state text not null,
        count bigint not null,
        primary key (form_id, subscription_id, state)
      );

      ${countDeliveries}
      create trigger delivery_inserted after insert on delivery
        referencing new table as added for each statement execute function count_deliveries();
      create trigger delivery_updated after update on delivery
        referencing old table as removed new table as added for each statement execute function count_deliveries();
    `),
};
