import { audited, record } from '@sheaf/events';
import { authorize, formRole, isId, newId, Problem, type Client } from '@sheaf/kernel';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { refuseUnentitled } from '../entitlement/entitlement';
import { followIfMoved } from '../entitlement/follow-forms';
import { lockPrincipal } from '../entitlement/standing.queries';
import { changeListeners } from '../listeners/listener-lease';
import { refuseTooMany } from '../subscription/refuse-too-many';
import { hookDeed, subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';
import type { SubscriptionRow } from '../subscription/subscriptions.queries';

export interface Wanted {
  formId: string;
  targetUrl: string;
  event: string;
  source: string;
}

/**
 * Subscribes a platform to an event of a form. A repeated request returns the existing subscription, active again.
 * @throws Problem `bad_request` for an unknown source, a target that may not be called, a form in the trash, or one with the maximum number
 *   of subscriptions; `not_found` for an unknown form; `forbidden` without a role on it.
 */
export async function subscribe(deps: Deps, asked: Asked<Client>, wanted: Wanted): Promise<SubscriptionRow> {
  const { caller, call } = asked;
  const { HOOK_SOURCES: sources } = deps.settings;
  if (!sources.includes(wanted.source)) throw Problem.badRequest(`source: must be one of ${sources.join(', ')}`);

  if (!isId(wanted.formId)) throw Problem.notFound('form');
  const form = await deps.forms.getFormAccess(call, { form_id: wanted.formId });
  authorize(formRole(caller, toFormAccess(form)), 'subscribe to this form');
  if (form.status === 'trashed') throw Problem.badRequest('form_id: the form is in the trash');
  // Last, only for authorized callers, because it queries name servers that the caller chose.
  await deps.egress.vet(wanted.targetUrl);

  const now = deps.clock.now();
  const id = newId();
  const subscribed = await changeListeners(deps, async (trx) => {
    await lockPrincipal(trx, caller);
    const content = { source: wanted.source, event: wanted.event, more_events: [] };
    await refuseUnentitled(trx, caller, { form: { ...toFormAccess(form), id: wanted.formId }, wanted: content, now });
    const scope = { instanceId: caller.instanceId, formId: wanted.formId };
    await subscriptions.lockSubscriptionsOf(trx, scope);
    const { row, changed } = await subscriptions.insertOrReactivate(trx, {
      ...subscriptions.plainWebhook,
      id,
      instance_id: caller.instanceId,
      form_id: wanted.formId,
      workspace_id: form.workspace_id,
      event: wanted.event,
      url: wanted.targetUrl,
      source: wanted.source,
      subscriber_kind: caller.kind,
      subscriber_id: caller.id,
      form_creator_id: form.creator_id,
      created_at: now,
      updated_at: now,
    });
    if (row.id === id) await refuseTooMany(deps, trx, scope);
    await record(
      trx,
      subscriptionChanged(row, 'active', now, asked.call),
      ...(changed ? [audited(asked, hookDeed('hook.subscribed', row), now)] : []),
    );
    return row;
  });
  await followIfMoved(deps, asked, form);
  return subscribed;
}
