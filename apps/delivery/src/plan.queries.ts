import type { Database, Transaction } from '@sheaf/postgres';

export interface EventRow {
  id: string;
  type: string;
  instance_id: string;
  form_id: string;
  occurred_at: Date;
  body: string;
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
  // As JSON, for a list of values may have 65,535 of them at most.
  await trx.raw(
    `insert into delivery (id, event_id, subscription_id, form_id, state, attempts, next_attempt_at, created_at)
     select id, event_id, subscription_id, form_id, 'pending', 0, created_at, created_at
       from jsonb_to_recordset(?::jsonb) as made (id uuid, event_id uuid, subscription_id uuid, form_id uuid, created_at timestamptz)
     on conflict (event_id, subscription_id) do nothing`,
    [JSON.stringify(deliveries)],
  );
}
