import type { SubscriptionChanged } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import type { SubscriptionRow } from './subscriptions.queries';

/** Tells `delivery` what it has to know of a subscription. */
export function subscriptionChanged(row: SubscriptionRow, state: 'active' | 'inactive' | 'deleted', at: Date): DomainEvent {
  const { id, form_id, event, url, revision } = row;
  const body: z.output<typeof SubscriptionChanged> = { id, form_id, event, url, state, revision };
  return { id: newId(), type: 'subscription.changed', instanceId: row.instance_id, subject: id, formId: form_id, occurredAt: at, body: JSON.stringify(body) };
}
