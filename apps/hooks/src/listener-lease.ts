import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@sheaf/postgres';
import type { Deps } from './deps';
import { listenersTo, type ListenerRow, type Topic } from './subscriptions.queries';

// The listener lease: `delivery` may remember the listeners of an event, and still never plans with listeners that a client knows to be
// outdated.
//
// 1. `hooks` returns the listeners with a lease: the time for which `delivery` may use them.
// 2. `delivery` measures the lease from before its request, and asks again once it is over (its `RememberedListeners`).
// 3. `hooks` answers a change of subscriptions only when each lease from before the commit is over.
//
// So a submission made after a client has learned that it is subscribed reaches this client, and one made after it has learned that it is
// unsubscribed does not. The protocol needs no message; a cache that events invalidate would be outdated whenever one is lost.

/** Not a setting: the processes of this service have to agree, because one may grant a lease and another one make the change. */
export const listenerLeaseMs = 100;

/** A timer may fire a millisecond early. */
const timerSlackMs = 5;

/** The active subscriptions to the topics, and the lease on them. */
export async function leaseListeners({ db, listenerLeaseMs: leaseMs }: Deps, topics: readonly Topic[]): Promise<{ listeners: ListenerRow[]; leaseMs: number }> {
  return { listeners: await listenersTo(db, topics), leaseMs };
}

/** Changes subscriptions in a transaction, and returns once all earlier leases are over. */
export async function changeListeners<T>(deps: Pick<Deps, 'outbox' | 'listenerLeaseMs'>, change: (trx: Transaction) => Promise<T>): Promise<T> {
  const result = await deps.outbox.transaction(change);
  // Even if nothing has changed: another request may have made the same change a moment ago.
  await sleep(deps.listenerLeaseMs + timerSlackMs);
  return result;
}
