import { domainEvents, type DomainEventType } from '@sheaf/contracts';
import { rowsOf, type Database, type Migration, type Transaction } from '@sheaf/postgres';
import type { DomainEvent } from './event';

/** The table that every service which sends events has. */
export const outboxMigration: Migration = {
  name: '0000_outbox',
  up: (db) =>
    db.raw(`
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
        publish_at timestamptz not null
      );
      create index outbox_due on outbox (publish_at, position);
    `),
};

export const outboxTraceMigration: Migration = {
  name: '0000_outbox_trace',
  up: (db) => db.raw('alter table outbox add column traceparent text'),
};

interface OutboxRow {
  id: string;
  type: DomainEventType;
  instance_id: string;
  subject: string;
  form_id: string | null;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
  publications: number;
}

/** What a transaction recorded: events at all, and signals among them. */
interface Recorded {
  signals: boolean;
}

const recorded = new WeakMap<Transaction, Recorded>();

/** Records events in the transaction that made them true: both are committed, or neither is. */
export async function record(trx: Transaction, ...events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  const signals = events.some(({ type }) => domainEvents[type].consumers.length === 0);
  recorded.set(trx, { signals: signals || recorded.get(trx)?.signals === true });
  const rows = events.map((event) => ({
    id: event.id,
    type: event.type,
    instance_id: event.instanceId,
    subject: event.subject,
    form_id: event.formId,
    occurred_at: event.occurredAt,
    body: event.body,
    traceparent: event.trace,
    awaiting: domainEvents[event.type].consumers.join(),
  }));
  // As one list, so that the statement is the same for any number of events.
  await rowsOf(
    trx,
    `insert into outbox (id, type, instance_id, subject, form_id, occurred_at, body, traceparent, awaiting, publish_at)
     select id, type, instance_id, subject, form_id, occurred_at, body, traceparent, string_to_array(awaiting, ','), occurred_at
       from rows from (json_to_recordset(cast(? as json)) as (
         id uuid, type text, instance_id uuid, subject text, form_id uuid, occurred_at timestamptz, body text, traceparent text, awaiting text
       )) with ordinality as e order by ordinality`,
    [JSON.stringify(rows)],
  );
}

/** What the transaction recorded that the relay should hear of, undefined for nothing. */
export const recordedIn = (trx: Transaction): Recorded | undefined => recorded.get(trx);

/** What is due to be published, in order; and with it how often it was sent before. */
export async function due(trx: Transaction, now: Date, limit: number): Promise<{ event: DomainEvent; publications: number }[]> {
  const rows = await trx<OutboxRow>('outbox').where('publish_at', '<=', now).orderBy('position').limit(limit);
  return rows.map((row) => ({
    publications: row.publications,
    event: {
      id: row.id,
      type: row.type,
      instanceId: row.instance_id,
      subject: row.subject,
      ...(row.form_id === null ? {} : { formId: row.form_id }),
      occurredAt: row.occurred_at,
      body: row.body,
      ...(row.traceparent === null ? {} : { trace: row.traceparent }),
    },
  }));
}

/** The broker has them: signals are done with, the rest waits for its consumers and is sent again if they stay silent. */
export async function settlePublished(trx: Transaction, ids: readonly string[], again: Date): Promise<void> {
  await trx('outbox').whereIn('id', ids).where('awaiting', '{}').delete();
  await trx('outbox').whereIn('id', ids).update({ publish_at: again, publications: trx.raw('publications + 1') });
}

/** A consumer has worked them off. */
export async function confirm(db: Database, consumer: string, ids: string[]): Promise<void> {
  await rowsOf(
    db,
    `with confirmed as (
       update outbox set awaiting = array_remove(awaiting, ?) where id = any(?::uuid[]) and awaiting <> array[?]
     )
     delete from outbox where id = any(?::uuid[]) and awaiting = array[?]`,
    [consumer, ids, consumer, ids, consumer],
  );
}
