import { WorkspaceErased } from '@sheaf/contracts';
import { erasureConfirmed, readEvents, record, type DomainEvent } from '@sheaf/events';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';

/**
 * Deletes the webhooks of erased workspaces, and confirms it; those of their forms go with each form. Handling an event twice confirms it
 * again.
 */
export async function eraseWorkspaces(
  { outbox, clock }: Pick<Deps, 'outbox' | 'clock'>,
  log: Log,
  events: readonly DomainEvent[],
): Promise<void> {
  for (const { event, data: erased } of readEvents(log, events, 'workspace.erased', WorkspaceErased, ['workspace_id', 'erasure_id'])) {
    await outbox.transaction(async (trx) => {
      const now = clock.now();
      const scope = { instanceId: event.instanceId, workspaceId: erased.workspace_id };
      await subscriptions.lockSubscriptionsOf(trx, scope);
      const deleted = await subscriptions.deleteSubscriptionsOf(trx, scope);
      await record(
        trx,
        ...deleted.map((row) => subscriptionChanged(row, 'deleted', now, event)),
        erasureConfirmed(
          { id: erased.erasure_id, instanceId: event.instanceId },
          { service: 'hooks', counts: { subscriptions: deleted.length } },
          now,
        ),
      );
    });
  }
}
