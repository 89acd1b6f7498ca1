import { SubscriptionGone } from '@sheaf/contracts';
import { audited, bodyOf, record, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { hookDeed, subscriptionChanged } from './subscription-changed';
import * as subscriptions from './subscriptions.queries';

/**
 * Deactivates subscriptions that answered 410 or failed for too long, unless they have changed since. Handling an event twice changes
 * nothing.
 */
export async function deactivateGone(deps: Pick<Deps, 'outbox' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    const gone = read(event);
    if (!gone) {
      // Skipped permanently: a retry would fail as well and delay all later events.
      log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
      continue;
    }
    const now = deps.clock.now();
    await deps.outbox.transaction(async (trx) => {
      const { id, revision, reason, detail } = gone;
      const row = await subscriptions.deactivate(trx, { id, revision }, { reason, detail, now });
      if (!row) return;
      // No request caused this; the event stands in for one.
      const asked = {
        caller: { kind: 'service', id: 'delivery', instanceId: row.instance_id } as const,
        call: { requestId: event.requestId ?? event.id, trace: event.trace },
      };
      await record(
        trx,
        subscriptionChanged(row, 'inactive', now, asked.call),
        audited(asked, hookDeed('hook.deactivated', row, { reason }), now),
      );
    });
  }
}

function read(event: DomainEvent) {
  const data = bodyOf(SubscriptionGone, event);
  return data && isId(data.id) ? { ...data, reason: data.reason === 'failing' ? ('failing' as const) : ('gone' as const) } : undefined;
}
