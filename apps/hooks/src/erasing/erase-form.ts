import { FormErased } from '@sheaf/contracts';
import { erasureConfirmed, readEvents, record, type DomainEvent } from '@sheaf/events';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { deleteGrantsOf } from '../entitlement/standing.queries';
import { deletePlace } from '../listeners/listeners.queries';
import { subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';

/** Deletes everything that belongs to erased forms, and confirms it. Handling an event twice confirms it again. */
export async function eraseForms(
  { outbox, clock }: Pick<Deps, 'outbox' | 'clock'>,
  log: Log,
  events: readonly DomainEvent[],
): Promise<void> {
  for (const { event, data } of readEvents(log, events, 'form.erased', FormErased, ['form_id', 'erasure_id'])) {
    const { form_id: formId, erasure_id: id } = data;
    await outbox.transaction(async (trx) => {
      const now = clock.now();
      const scope = { instanceId: event.instanceId, formId };
      await subscriptions.lockSubscriptionsOf(trx, scope);
      const deleted = await subscriptions.deleteSubscriptionsOf(trx, scope);
      await deleteGrantsOf(trx, formId);
      await deletePlace(trx, formId);
      await record(
        trx,
        ...deleted.map((row) => subscriptionChanged(row, 'deleted', now, event)),
        erasureConfirmed(
          { id, instanceId: event.instanceId, formId },
          { service: 'hooks', counts: { subscriptions: deleted.length } },
          now,
        ),
      );
    });
  }
}
