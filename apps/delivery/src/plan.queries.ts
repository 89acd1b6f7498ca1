import type { Database, Transaction } from '@sheaf/postgres';
import { callUp } from './attempt.queries';

export interface EventRow {
  id: string;
  type: string;
  instance_id: string;
  form_id: string;
  occurred_at: Date;
  body: string;
  traceparent: string | null;
}

export interface NewDelivery {
  id: string;
  event_id: string;
  subscription_id: string;
  form_id: string;
  created_at: Date;
}

export async function knownEvents(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<EventRow>('event').whereIn('id', ids).select('id');
  return new Set(rows.map(({ id }) => id));
}

/** Keeps the events that nobody kept before. @returns the ids of those. */
export async function insertEvents(trx: Transaction, events: readonly EventRow[]): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const rows = await trx<EventRow>('event').insert(events).onConflict('id').ignore().returning('id');
  return new Set(rows.map(({ id }) => id));
}

/** Deliveries that are due at once. */
export async function insertDeliveries(trx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  // As JSON, for a list of values may have 65,535 of them at most.
  await trx.raw(
    `with made as materialized (
       select * from jsonb_to_recordset(?::jsonb) as made (id uuid, event_id uuid, subscription_id uuid, form_id uuid, created_at timestamptz)
     ),
     logged as (
       insert into delivery (id, event_id, subscription_id, form_id, state, attempts, created_at)
       select id, event_id, subscription_id, form_id, 'pending', 0, created_at from made
     )
     insert into queue (delivery_id, subscription_id, event_id, attempts, next_attempt_at)
     select id, subscription_id, event_id, 0, created_at from made`,
    [JSON.stringify(deliveries)],
  );
  await callUp(trx, deliveries.map(({ subscription_id: id, created_at: at }) => ({ id, at })));
}
