import { PersonErased } from '@sheaf/contracts';
import { erasureConfirmed, readEvents, record, type DomainEvent } from '@sheaf/events';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { isEntitled } from '../entitlement/entitlement';
import * as standing from '../entitlement/standing.queries';
import type { Principal } from '../entitlement/standing.queries';
import { subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';

type EraseDeps = Pick<Deps, 'outbox' | 'clock'>;

const subscriptionsAtOnce = 200;
const grantsAtOnce = 1_000;

/**
 * Deletes the subscriptions and grants of people who were erased, and confirms it. A subscription stays while somebody else who created or
 * renewed it is entitled to it. After a crash, the confirmation counts what was left.
 *
 * The person's standing stays as an id without roles: a request that began before could otherwise subscribe with its token.
 */
export async function erasePeople(deps: EraseDeps, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { event, data: erased } of readEvents(log, events, 'person.erased', PersonErased, ['person_id', 'erasure_id'])) {
    const person: Principal = { instanceId: event.instanceId, kind: 'user', id: erased.person_id };
    const counts = { subscriptions: 0, grants: 0 };
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const batch = await eraseSubscriptions(deps, person, event, after);
      counts.subscriptions += batch.deleted;
      after = batch.after;
    }
    for (let some = grantsAtOnce; some > 0; counts.grants += some)
      some = await deps.outbox.transaction((trx) => standing.deleteGrantsOfPerson(trx, person, grantsAtOnce));
    await deps.outbox.transaction((trx) =>
      record(
        trx,
        erasureConfirmed({ id: erased.erasure_id, instanceId: event.instanceId }, { service: 'hooks', counts }, deps.clock.now()),
      ),
    );
  }
}

/** @returns the id after which the next batch starts; undefined at the end. */
function eraseSubscriptions(
  { outbox, clock }: EraseDeps,
  person: Principal,
  event: DomainEvent,
  after: string | undefined,
): Promise<{ deleted: number; after: string | undefined }> {
  return outbox.transaction(async (trx) => {
    const now = clock.now();
    await standing.lockPrincipal(trx, person);
    if (after === undefined)
      await standing.upsertStanding(trx, person, { roles: {}, instance_role: 'none', scopes: [] }, { eventAt: event.occurredAt });
    const rows = await standing.lockAllOf(trx, person, { after, limit: subscriptionsAtOnce });
    let deleted = 0;
    for (const row of rows) {
      if (await isEntitled(trx, row)) continue;
      const gone = await subscriptions.deleteSubscription(trx, row.id);
      if (gone) await record(trx, subscriptionChanged(gone, 'deleted', now, event));
      deleted++;
    }
    return { deleted, after: rows.length < subscriptionsAtOnce ? undefined : rows.at(-1)?.id };
  });
}
