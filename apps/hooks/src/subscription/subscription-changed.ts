import type { AuditAction, AuditDetails, SubscriptionChanged } from '@sheaf/contracts';
import { causedBy, type Cause, type Deed, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import { eventsOf, retryFor, type SubscriptionRow } from './subscriptions.queries';

/**
 * The event with the facts about a subscription that `delivery` needs. One with options is inactive to an earlier version of `delivery`, which would
 * send without them; it records the events as skipped.
 */
export function subscriptionChanged(row: SubscriptionRow, state: 'active' | 'inactive' | 'deleted', at: Date, cause: Cause): DomainEvent {
  const { id, event, url, revision, payload, options } = row;
  const formId = row.form_id ?? undefined;
  const place = formId === undefined ? { form_id: row.workspace_id ?? row.instance_id, wide: true } : { form_id: formId };
  const named = payload === 'contract' ? {} : { payload, link_origin: row.link_origin ?? undefined };
  const told =
    options === null || state === 'deleted'
      ? { state, options: '' }
      : { state: 'inactive' as const, options: JSON.stringify(options), state_with_options: state };
  const body: z.output<typeof SubscriptionChanged> = {
    id,
    ...place,
    event,
    events: eventsOf(row),
    url,
    revision,
    ...told,
    ...named,
    retry: retryFor(row),
  };
  return {
    id: newId(),
    type: 'subscription.changed',
    instanceId: row.instance_id,
    subject: id,
    formId,
    occurredAt: at,
    body: JSON.stringify(body),
    ...causedBy(cause),
  };
}

/** A deed on a subscription, for the audit log. It omits the target, because the address may contain a secret. */
export const hookDeed = (action: AuditAction, { id, form_id, workspace_id, event }: SubscriptionRow, details?: AuditDetails): Deed => ({
  action,
  target: { kind: 'hook', id },
  workspaceId: workspace_id ?? undefined,
  formId: form_id ?? undefined,
  details: { event, ...details },
});
