import { FormMoved } from '@sheaf/contracts';
import { readEvents, type DomainEvent } from '@sheaf/events';
import type { Client } from '@sheaf/kernel';
import { type Asked } from '@sheaf/rpc';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { movePlace } from '../listeners/listeners.queries';
import * as subscriptions from '../subscription/subscriptions.queries';
import { end, type Cause } from './end-unentitled';
import { isEntitled } from './entitlement';

/** Takes the subscriptions of moved forms to the new workspace. Handling an event twice changes nothing. */
export async function followForms(deps: Pick<Deps, 'outbox' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { event, data: moved } of readEvents(log, events, 'form.moved', FormMoved, ['form_id', 'workspace_id'])) {
    await followForm(deps, { instanceId: event.instanceId, formId: moved.form_id, workspaceId: moved.workspace_id }, event);
  }
}

/** Records a form's workspace, also with its subscriptions, and ends those whose principals have no sufficient role there. */
export async function followForm(
  { outbox, clock }: Pick<Deps, 'outbox' | 'clock'>,
  form: { instanceId: string; formId: string; workspaceId: string },
  cause: Cause,
): Promise<void> {
  await outbox.transaction(async (trx) => {
    await subscriptions.lockSubscriptionsOf(trx, { instanceId: form.instanceId, formId: form.formId });
    await movePlace(trx, form);
    const rows = await subscriptions.moveSubscriptions(trx, form);
    for (const row of rows) if (row.active && !(await isEntitled(trx, row))) await end(trx, row, cause, clock.now());
  });
}

/**
 * Call this after a caller has subscribed to a form whose access was read before. If the form moved in between, its event may have arrived before
 * the subscription was stored.
 */
export async function followIfMoved(
  deps: Pick<Deps, 'outbox' | 'clock' | 'forms'>,
  { caller, call }: Asked<Client>,
  before: { form_id: string; workspace_id: string },
): Promise<void> {
  const { workspace_id: workspaceId } = await deps.forms.getFormAccess(call, { form_id: before.form_id });
  if (workspaceId === before.workspace_id) return;
  await followForm(deps, { instanceId: caller.instanceId, formId: before.form_id, workspaceId }, { id: call.requestId, trace: call.trace });
}
