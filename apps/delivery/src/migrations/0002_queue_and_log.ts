import type { Migration } from '@sheaf/postgres';
import { detachDeliveries } from '../database/detach-deliveries.sql';
import { dropDeliveries } from '../database/drop-deliveries.sql';
import { dropEvents } from '../database/drop-events.sql';
import { firstId } from '../database/first-id.sql';
import { makeLog } from '../database/make-log.sql';

/**
 * Parts what is still to be sent (`queue`, `turn`: small, changed all the time) from what was (`event`, `delivery`, `attempt`: large,
 * in partitions of a day, which are dropped when their time is over). The ids grow with time and are what the log is parted by, so
 * that primary keys and everything that goes by id stay as they were.
 *
 * Copies what is there. A process of the version before does not lose anything meanwhile: its statements fail, and its events wait.
 */
export const queueAndLog: Migration = {
  name: '0002_queue_and_log',
  up: (db) =>
    db.raw(`
      alter table event rename to event_before;
      alter table event_before rename constraint event_pkey to event_before_pkey;
      alter table delivery rename to delivery_before;
      alter table delivery_before rename constraint delivery_pkey to delivery_before_pkey;
      alter table attempt rename to attempt_before;
      alter table attempt_before rename constraint attempt_pkey to attempt_before_pkey;

      -- Every event that was planned, so that none is planned twice however often the broker brings it.
      create table event (
        id uuid primary key,
        type text not null,
        instance_id uuid not null,
        form_id uuid not null,
        occurred_at timestamptz not null,
        planned_at timestamptz not null default now(),
        -- What is sent, to the byte.
        body text not null
      ) partition by range (id);
      -- Events whose ids are of no day that we have: they waited longer somewhere than the log is kept.
      create table event_other partition of event default;

      -- No foreign keys inside the log: rows that refer to each other are written in one transaction and go with their partitions.
      create table delivery (
        id uuid primary key,
        event_id uuid not null,
        subscription_id uuid not null references subscription,
        form_id uuid not null,
        state text not null check (state in ('pending', 'succeeded', 'failed', 'cancelled')),
        -- Attempts that were begun; while it is pending the queue knows.
        attempts integer not null,
        created_at timestamptz not null,
        settled_at timestamptz
      ) partition by range (id);

      create table attempt (
        delivery_id uuid not null,
        number integer not null,
        started_at timestamptz not null,
        duration_ms integer,
        status integer,
        error text,
        primary key (delivery_id, number)
      ) partition by range (delivery_id);

      -- A row for each delivery that is pending.
      create table queue (
        delivery_id uuid primary key,
        subscription_id uuid not null references subscription,
        event_id uuid not null,
        -- Attempts that were begun, and how many of them before it was sent anew by somebody's wish.
        attempts integer not null,
        attempts_before integer not null default 0,
        -- When the next attempt is due; null once the last one was begun.
        next_attempt_at timestamptz,
        -- While an attempt is under way: when it counts as lost together with the process that made it.
        busy_until timestamptz,
        -- How often in a row an attempt came to nothing through a fault of ours.
        own_failures integer not null default 0
      ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

      -- A row for each subscription: in which lane it waits, and when it should be looked at. Never later than its first delivery is
      -- due, perhaps earlier; null if it has none. So a look costs the same however many subscriptions and deliveries wait.
      create table turn (
        subscription_id uuid primary key references subscription,
        lane text not null default 'unproven' check (lane in ('unproven', 'quick', 'slow')),
        due_at timestamptz
      ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

      ${firstId}
      ${makeLog}
      ${detachDeliveries}
      ${dropDeliveries}
      ${dropEvents}

      select make_log(
        cast(least(now(), (select min(created_at) from delivery_before), (select min(occurred_at) from event_before)) at time zone 'UTC' as date) - 1,
        cast(now() at time zone 'UTC' as date) + 14);

      insert into event (id, type, instance_id, form_id, occurred_at, planned_at, body)
      select id, type, instance_id, form_id, occurred_at, occurred_at, body from event_before;
      insert into delivery (id, event_id, subscription_id, form_id, state, attempts, created_at, settled_at)
      select id, event_id, subscription_id, form_id, state, attempts, created_at, settled_at from delivery_before;
      insert into attempt select * from attempt_before;
      insert into queue (delivery_id, subscription_id, event_id, attempts, next_attempt_at, busy_until)
      select id, subscription_id, event_id, attempts, next_attempt_at, busy_until from delivery_before where state = 'pending';
      insert into turn (subscription_id, due_at)
      select id, (select min(next_attempt_at) from queue where subscription_id = subscription.id) from subscription;
      drop table attempt_before, delivery_before, event_before;

      -- Their order is that of the log: an id grows with time.
      create index delivery_of_form on delivery (form_id, id);
      create index delivery_of_form_by_state on delivery (form_id, state, id);
      create index delivery_of_subscription on delivery (subscription_id, id);
      create index delivery_of_subscription_by_state on delivery (subscription_id, state, id);
      -- For drop_events alone: as events and deliveries are of the same time, an index of a few pages is enough.
      create index delivery_of_event on delivery using brin (event_id);
      create index subscription_of_form on subscription (form_id);
      create index queue_waiting on queue (subscription_id, next_attempt_at, delivery_id);
      create index queue_due on queue (next_attempt_at);
      create index queue_last_attempt on queue (busy_until) where next_attempt_at is null;
      create index turn_due on turn (lane, due_at) where due_at is not null;

      create trigger delivery_inserted after insert on delivery
        referencing new table as added for each statement execute function count_deliveries();
      create trigger delivery_updated after update on delivery
        referencing old table as removed new table as added for each statement execute function count_deliveries();
    `),
};
