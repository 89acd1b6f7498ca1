import { outboxTable } from '@sheaf/events';
import type { Migration } from '@sheaf/postgres';
import { countDeliveries } from '../database/count-deliveries.sql';
import { detachDeliveries } from '../database/detach-deliveries.sql';
import { dropDeliveries } from '../database/drop-deliveries.sql';
import { dropEvents } from '../database/drop-events.sql';
import { firstId } from '../database/first-id.sql';
import { lookForDue } from '../database/look-for-due.sql';
import { makeLog } from '../database/make-log.sql';
import { settleAttempts } from '../database/settle-attempts.sql';

/**
 * Pending deliveries (`queue`, `turn`: small, changed all the time) are apart from the rest (`event`, `delivery`, `attempt`: large, in
 * partitions of a day, which are dropped when their time is over). The ids grow with time and are what the log is parted by.
 */
export const initial: Migration = {
  name: '0000_initial',
  replaces: [
    '0000_outbox',
    '0001_initial',
    '0002_queue_and_log',
    '0004_webhook_keys',
    '0000_outbox_trace',
    '0005_trace',
    '0000_outbox_order',
    '0006_look',
    '0007_plans',
    '0008_settle',
    '0009_settle_by_its_clock',
    '0010_endings',
    '0011_what_was_sent',
    '0012_held',
    '0013_erasing',
    '0014_wide_subscriptions',
    '0015_submissions',
    '0016_submissions_index',
  ],
  up: (db) =>
    db.raw(`
      ${outboxTable}

      -- A copy of what hooks owns. A removed one stays, so that older news of it cannot bring it back.
      create table subscription (
        id uuid primary key,
        instance_id uuid not null,
        -- Null for a webhook that listens to a workspace or to the whole instance.
        form_id uuid,
        url text not null,
        state text not null check (state in ('active', 'inactive', 'deleted')),
        revision integer not null,
        payload text not null default 'contract',
        -- The origin of links in named payloads.
        link_origin text
      );
      create index subscription_of_form on subscription (form_id);

      -- Every event that was planned, so that none is planned twice however often the broker brings it.
      create table event (
        id uuid primary key,
        type text not null,
        instance_id uuid not null,
        form_id uuid not null,
        occurred_at timestamptz not null,
        planned_at timestamptz not null default now(),
        -- What is sent, to the byte.
        body text not null,
        -- What each attempt belongs to, whenever and wherever it is made; null for an event of no trace.
        traceparent text
      ) partition by range (id);
      -- Events whose ids are of no day that we have: they waited longer somewhere than the log is kept.
      create table event_other partition of event default;

      -- No foreign keys inside the log: rows that refer to each other are written in one transaction and go with their partitions.
      create table delivery (
        id uuid primary key,
        event_id uuid not null,
        subscription_id uuid not null references subscription,
        form_id uuid not null,
        -- 0017_skipped drops the constraint by this name.
        state text not null constraint delivery_state_check1 check (state in ('pending', 'succeeded', 'failed', 'cancelled')),
        -- Attempts that were begun; while it is pending the queue knows.
        attempts integer not null,
        created_at timestamptz not null,
        settled_at timestamptz,
        -- Why it failed without an attempt, or was cancelled.
        reason text,
        -- Null for a change of several submissions at once, and for deliveries that an earlier version planned.
        submission_id uuid
      ) partition by range (id);

      create table attempt (
        delivery_id uuid not null,
        number integer not null,
        started_at timestamptz not null,
        duration_ms integer,
        status integer,
        error text,
        -- Where it went, known when it begins, and with which headers, known when it has ended.
        url text,
        headers json,
        primary key (delivery_id, number)
      ) partition by range (delivery_id);

      -- How many deliveries there are, so that a list can tell its total without counting.
      create table delivery_count (
        form_id uuid not null,
        subscription_id uuid not null,
        state text not null,
        count bigint not null,
        primary key (form_id, subscription_id, state)
      );

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
      -- The order in which deliveries were queued, whatever the clocks say.
      create sequence queue_place;
      alter table queue add column place bigint default nextval('queue_place');
      -- PostgreSQL thinks of a queue that was nearly empty when it was cleaned up that each index is as good as any other. So no index but one fits
      -- what is asked of a subscription.
      create index queue_waiting on queue (subscription_id, next_attempt_at, delivery_id);
      create index queue_last_attempt on queue (busy_until) where next_attempt_at is null;

      -- A row for each subscription: in which lane it waits, and when it should be looked at. Never later than its first delivery is
      -- due, perhaps earlier; null if it has none. So a look costs the same however many subscriptions and deliveries wait.
      create table turn (
        subscription_id uuid primary key references subscription,
        lane text not null default 'unproven' check (lane in ('unproven', 'quick', 'slow')),
        due_at timestamptz,
        -- Since when all attempts have failed, and when one did so last, give or take an hour. Null after a success.
        failing_since timestamptz,
        failed_at timestamptz,
        -- Whether the turn was put off because the instance has spent its budget: something may be due before it.
        held boolean not null default false
      ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
      create index turn_due on turn (lane, due_at) where due_at is not null;

      -- Subscriptions that ended with more deliveries waiting than could be cancelled at once: those up to this place are still to be cancelled.
      create table ending (
        subscription_id uuid primary key references subscription,
        upto bigint not null,
        reason text not null
      );

      -- When the webhook keys of an instance were rotated: generation n + 1 began and n began to run out. Generation 1 has no row.
      create table webhook_key (
        instance_id uuid not null,
        generation integer not null check (generation > 1),
        begun_at timestamptz not null,
        primary key (instance_id, generation)
      );

      -- Submissions and forms that are gone for good. Their answers are in the bodies of events, here and in the stream of the broker.
      create table erased (
        -- The submission, or the form.
        target_id uuid primary key,
        erasure_id uuid not null,
        instance_id uuid not null,
        form_id uuid not null,
        whole_form boolean not null,
        -- When the event with the answers was recorded; null if there was none, and for a form.
        announced_at timestamptz,
        noted_at timestamptz not null,
        -- log: the log is to be cleaned; first_look, second_look: the stream. The second one finds what was on its way at the first one.
        step text not null check (step in ('log', 'first_look', 'second_look', 'done')),
        -- When the step is due, or a process that has taken it counts as dead.
        due_at timestamptz not null,
        -- Of a form: up to where its log is clean.
        clean_to timestamptz,
        -- Events whose bodies were erased.
        events integer not null default 0
      );
      create index erased_due on erased (step, due_at) where step <> 'done';
      create index erased_by_erasure on erased (erasure_id);
      create index erased_by_age on erased (noted_at) where step = 'done';

      ${firstId}
      ${makeLog}
      ${detachDeliveries}
      ${dropDeliveries}
      ${dropEvents}
      ${countDeliveries}
      ${settleAttempts}
      ${lookForDue}

      select make_log(cast(now() at time zone 'UTC' as date) - 1, cast(now() at time zone 'UTC' as date) + 14);

      -- Their order is that of the log: an id grows with time.
      create index delivery_of_form on delivery (form_id, id);
      create index delivery_of_form_by_state on delivery (form_id, state, id);
      create index delivery_of_subscription on delivery (subscription_id, id);
      create index delivery_of_subscription_by_state on delivery (subscription_id, state, id);
      create index delivery_of_submission on delivery (submission_id, id) where submission_id is not null;
      -- For drop_events alone: as events and deliveries are of the same time, an index of a few pages is enough.
      create index delivery_of_event on delivery using brin (event_id);

      create trigger delivery_inserted after insert on delivery
        referencing new table as added for each statement execute function count_deliveries();
      create trigger delivery_updated after update on delivery
        referencing old table as removed new table as added for each statement execute function count_deliveries();
    `),
};
