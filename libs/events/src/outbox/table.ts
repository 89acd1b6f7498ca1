/** SQL for the outbox table of every service that sends events. */
export const outboxTable = `
      create table outbox (
        id uuid primary key,
        -- The order in which they were recorded. Taken while the row that changed is locked, so events of one subject are in order.
        position bigint generated always as identity,
        type text not null,
        instance_id uuid not null,
        subject text not null,
        form_id uuid,
        occurred_at timestamptz not null,
        body text not null,
        -- Who has not said yet that it worked the event off; the row stays until nobody is left.
        awaiting text[] not null,
        publications integer not null default 0,
        publish_at timestamptz not null,
        traceparent text
      );
      create index outbox_due on outbox (publish_at, position);
      -- Each publication and each confirmation looks up the other events of the subject.
      create index outbox_subject on outbox (subject, position);`;

/** The request that caused an event; null for one of no request, and for those that an earlier version of the service records. */
export const outboxRequestId = 'alter table outbox add column request_id text;';

/** Signals are looked up each time a listener checks its sight, several times a second. */
export const outboxSignalsIndex = `create index outbox_signals on outbox (position) where awaiting = '{}';`;
