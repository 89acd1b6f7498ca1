import { audited, record } from '@sheaf/events';
import { authorize, formRole, isId, Problem, type Client } from '@sheaf/kernel';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { changeListeners } from '../listeners/listener-lease';
import { hookDeed, subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';
import type { SubscriptionRow } from '../subscription/subscriptions.queries';

/**
 * Deletes a subscription permanently; its pending deliveries are cancelled.
 * @throws Problem `not_found`; `forbidden` for a caller who neither created it nor may edit the form; `bad_request` for a webhook created
 *   in the application.
 */
export async function unsubscribe(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<void> {
  const row = isId(id) ? await subscriptions.subscriptionById(deps.db, asked.caller.instanceId, id) : undefined;
  if (!row) throw Problem.notFound('subscription');
  await authorizeRemoval(deps, asked, row);
  if (row.source === null) throw createdInApplication();

  const now = deps.clock.now();
  await changeListeners(deps, async (trx) => {
    const removed = await subscriptions.deleteSubscription(trx, id);
    if (!removed) throw Problem.notFound('subscription');
    await record(
      trx,
      subscriptionChanged(removed, 'deleted', now, asked.call),
      audited(asked, hookDeed('hook.unsubscribed', removed), now),
    );
  });
}

/** The subscriber may always unsubscribe, even without a role on the form. */
async function authorizeRemoval(deps: Deps, { caller, call }: Asked<Client>, row: SubscriptionRow): Promise<void> {
  if (row.subscriber_kind === caller.kind && row.subscriber_id === caller.id) return;
  // Only webhooks of the application listen to more than a form.
  if (row.form_id === null) throw createdInApplication();
  const form = await deps.forms.getFormAccess(call, { form_id: row.form_id });
  authorize(formRole(caller, toFormAccess(form)), 'remove subscriptions of others to this form');
}

const createdInApplication = () => Problem.badRequest('This webhook was created in the application and can only be deleted there.');
