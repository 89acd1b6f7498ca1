import { withholdingPart } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { type Attempts } from '../attempts/attempts';
import { leaseMs } from '../attempts/claims.queries';
import type { Claim } from '../attempts/claims.queries';
import type { Deps } from '../deps';
import type { Lane } from '../subscriptions/lanes';
import { upsertCopies, type SubscriptionRow } from '../subscriptions/subscriptions.queries';
import { insertPlanned, type EventRow, type MadeDelivery, type NewDelivery } from './plan.queries';
import type { Listener } from './remembered-listeners';

export type StoringDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'metrics' | 'settings'>;
export type Sender = Pick<Attempts, 'reserve'>;

interface Batch {
  events: readonly EventRow[];
  /** As `hooks` returned them before the transaction. */
  listeners: readonly Listener[];
}

/** The result of planning: how many deliveries are to be sent, and how many of them wait in the queue for a look. */
export interface Planned {
  made: number;
  waiting: number;
}

/**
 * Stores events and their deliveries. First attempts for which `sender` has slots are claimed in the same statement and begin right after
 * it: a separate claim would cost another transaction, and a look to wait for.
 *
 * If the connection breaks before the database answers, the result is unknown and nothing is sent: the attempts are used up, as if the
 * process had died, and the deliveries fall due again on their own.
 */
export async function storePlanned(deps: StoringDeps, batch: Batch, sender: Sender | undefined): Promise<Planned> {
  const { db, clock, settings } = deps;
  const { deliveries, withheld } = deliveriesFor(batch);
  const withListeners = new Set(deliveries.map(({ event_id }) => event_id));
  const batches = batch.listeners.some(({ options }) => options === undefined || options?.batch !== undefined);
  const reservation = await sender?.reserve(batches ? sentSingly(deliveries, batch) : deliveries);
  try {
    const { made, dropped, outdated, busyUntil } = await insertPlanned(db, {
      events: batch.events.map((event) => ({
        ...(withListeners.has(event.id) ? event : { ...event, body: '' }),
        withheld: withheld.get(event.id),
      })),
      deliveries,
      reported: batch.listeners.map(({ id, revision, retry, options }) => ({ id, revision, retry, knows_options: options !== undefined })),
      rooms: reservation?.rooms ?? [],
      batches,
      clock,
      backlog: settings.DELIVERY_BACKLOG,
      leaseMs: leaseMs(settings),
      delayMs: settings.RETRY_DELAYS_MS[0],
    });
    if (!outdated) {
      const eventOf = new Map(batch.events.map((event) => [event.id, event]));
      for (const { id, count } of dropped) {
        deps.metrics.dropped.inc(count);
        deps.log.warn({ subscriptionId: id, count }, 'dropped deliveries because too many of the subscription are pending');
      }
      const claims = made.flatMap(({ begun, held: _, lane, ...delivery }) => {
        const event = eventOf.get(delivery.event_id);
        return begun && lane && event ? [firstClaim(event, delivery, lane, busyUntil)] : [];
      });
      reservation?.begin(claims, made);
      return { made: made.length, waiting: made.length - claims.length };
    }
  } finally {
    reservation?.end();
  }
  // Rare enough to afford another transaction: only needed when a subscription has changed.
  await upsertCopies(db, batch.listeners.map(copyOf));
  return storePlanned(deps, batch, sender);
}

/** Our copy of a subscription as `hooks` has it. */
export const copyOf = ({ form_id, event: _, wide, active, ...listener }: Listener): SubscriptionRow => ({
  ...listener,
  form_id: wide ? null : form_id,
  state: active ? 'active' : 'inactive',
});

// Written out instead of spread because most first attempts pass here; see docs/contributing/performance.md.
const firstClaim = (
  event: EventRow,
  {
    id,
    subscription_id,
    url,
    revision,
    payload,
    link_origin,
    retry,
    options,
    failing_for_ms,
    failed_ago_ms,
  }: Omit<MadeDelivery, 'begun' | 'held' | 'lane'>,
  lane: Lane,
  busy_until: Date,
): Claim => ({
  id,
  number: 1,
  attempts_before: 0,
  busy_until,
  own_failures: 0,
  lane,
  failing_for_ms,
  failed_ago_ms,
  event_id: event.id,
  subscription_id,
  form_id: event.form_id,
  url,
  revision,
  instance_id: event.instance_id,
  type: event.type,
  occurred_at: event.occurred_at,
  body: event.body,
  traceparent: event.traceparent,
  request_id: event.request_id,
  payload,
  link_origin,
  retry,
  options,
});

/** A slot that is reserved for the delivery of a batch would stay idle, as that waits for a look. */
function sentSingly<T extends NewDelivery>(deliveries: readonly T[], { listeners }: Batch): T[] {
  const batching = new Set(listeners.flatMap(({ id, options }) => (options?.batch ? [id] : [])));
  return deliveries.filter(({ subscription_id: id }) => !batching.has(id));
}

/** A delivery for each event and each of its listeners, active or not; those whose filter keeps the event from them are only noted with it. */
function deliveriesFor({ events, listeners }: Batch) {
  const deliveries: (NewDelivery & { instance_id: string })[] = [];
  const withheld = new Map<string, { id: string; part: string }[]>();
  for (const event of events)
    for (const listener of listeners) {
      if (listener.form_id !== event.form_id || listener.event !== event.type) continue;
      const { id, instance_id, options } = listener;
      const part = withholdingPart(options?.filter, event);
      if (part === undefined)
        deliveries.push({ id: newId(), event_id: event.id, subscription_id: id, submission_id: event.submission_id, instance_id });
      else withheld.set(event.id, [...(withheld.get(event.id) ?? []), { id, part }]);
    }
  return { deliveries, withheld };
}
