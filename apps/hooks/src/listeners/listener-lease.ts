import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from '../deps';
import { insertPlaces, listenersTo, type FormPlace, type ListenerRow, type Topic } from './listeners.queries';

// The listener lease lets `delivery` remember the listeners of an event without planning deliveries from a list that a client knows to be
// outdated.
//
// 1. `hooks` returns the listeners with a lease: the time for which `delivery` may use them.
// 2. `delivery` counts this time from before its request, and uses no listeners beyond it (its `RememberedListeners`).
// 3. `hooks` answers a change of subscriptions only after every lease granted before the commit has expired.
//
// Once a client has learned that it is subscribed, all later submissions reach it; once it has learned that it is unsubscribed, none do.
// The protocol needs no messages. A cache that events invalidate would stay outdated whenever one is lost.

/** Not a setting: the processes of this service have to agree, because one may grant a lease and another may make the change. */
export const listenerLeaseMs = 100;

/** A timer may fire a millisecond early. */
const timerSlackMs = 5;

/**
 * The subscriptions to the topics, active or not, and the lease on them. `unplaced` lists forms whose workspace decides who listens and is unknown
 * here: the caller asks again with their places. No question is asked for forms of instances in which no workspace has a webhook.
 */
export async function leaseListeners(
  { db, listenerLeaseMs: leaseMs }: Deps,
  topics: readonly Topic[],
  places: readonly FormPlace[],
): Promise<{ listeners: ListenerRow[]; unplaced: string[]; leaseMs: number }> {
  if (places.length > 0) await insertPlaces(db, places);
  return { ...(await listenersTo(db, topics)), leaseMs };
}

/** Changes subscriptions in a transaction, and returns once all earlier leases have expired. */
export async function changeListeners<T>(
  deps: Pick<Deps, 'outbox' | 'listenerLeaseMs'>,
  change: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const result = await deps.outbox.transaction(change);
  // Even if nothing has changed: another request may have made the same change a moment ago.
  await sleep(deps.listenerLeaseMs + timerSlackMs);
  return result;
}
