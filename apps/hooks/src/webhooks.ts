import type { WebhookRequest, WebhookUpdateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, formRole, isId, canActOnForm, newId, Problem, type Client, type FormAction } from '@sheaf/kernel';
import { whenViolated } from '@sheaf/postgres';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from './deps';
import { refuseUnentitled } from './entitlement';
import { followIfMoved } from './follow-forms';
import { changeListeners } from './listener-lease';
import { refuseTooMany } from './refuse-too-many';
import { lockPrincipal } from './standing.queries';
import { hookDeed, subscriptionChanged } from './subscription-changed';
import * as subscriptions from './subscriptions.queries';
import type { SubscriptionRow } from './subscriptions.queries';

// The application shows all webhooks and subscriptions of a form, and its owners and editors manage all of them. A platform's subscription
// can be deactivated and deleted, but its event and target stay as the platform requested them.

/** An address may contain a secret, so callers who may not change webhooks see only the origins of addresses that are not their own. */
export async function listWebhooks(deps: Deps, asked: Asked<Client>, { formId }: { formId: string }): Promise<SubscriptionRow[]> {
  const { caller } = asked;
  const form = await authorizeOn(deps, asked, formId, 'read webhooks of this form');
  const rows = await subscriptions.subscriptionsOf(deps.db, caller.instanceId, formId);
  if (canActOnForm(formRole(caller, toFormAccess(form)), 'change webhooks of this form')) return rows;
  return rows.map((row) =>
    row.subscriber_kind === caller.kind && row.subscriber_id === caller.id ? row : { ...row, url: new URL(row.url).origin },
  );
}

/**
 * @throws Problem `bad_request` for a form in the trash, a target that may not be called, or too many webhooks; `conflict` if the same
 *   webhook exists.
 */
export async function createWebhook(
  deps: Deps,
  asked: Asked<Client>,
  { formId, event, target_url: url }: z.output<typeof WebhookRequest> & { formId: string },
): Promise<SubscriptionRow> {
  const { caller } = asked;
  const form = await authorizeOn(deps, asked, formId, 'change webhooks of this form');
  refuseTrashed(form);
  // Last, only for authorized callers, because it queries name servers that the caller chose.
  await deps.egress.vet(url);

  const now = deps.clock.now();
  const row = {
    id: newId(),
    instance_id: caller.instanceId,
    form_id: formId,
    workspace_id: form.workspace_id,
    event,
    url,
    source: null,
    subscriber_kind: caller.kind,
    subscriber_id: caller.id,
    form_creator_id: form.creator_id,
    renewed_by_kind: null,
    renewed_by_id: null,
    active: true,
    revision: 1,
    created_at: now,
    updated_at: now,
  };
  const created = await changeListeners(deps, async (trx) => {
    await lockPrincipal(trx, caller);
    await refuseUnentitled(trx, caller, { form: { ...toFormAccess(form), id: formId }, wanted: row, now });
    await subscriptions.lockSubscriptionsOf(trx, formId);
    await subscriptions.insertWebhook(trx, row).catch(conflictIfSame);
    await refuseTooMany(deps, trx, formId);
    await record(trx, subscriptionChanged(row, 'active', now, asked.call), audited(asked, hookDeed('webhook.created', row), now));
    return row;
  });
  await followIfMoved(deps, asked, form);
  return created;
}

/**
 * Activates or deactivates a webhook, or changes its event or target; absent fields stay unchanged. Deactivation cancels its pending
 * deliveries; a new target receives them.
 * @throws Problem as `createWebhook`; also `bad_request` for a new event or target of a platform's subscription.
 */
export async function updateWebhook(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id, ...patch }: z.output<typeof WebhookUpdateRequest> & { formId: string; id: string },
): Promise<SubscriptionRow> {
  const form = await authorizeOn(deps, asked, formId, 'change webhooks of this form');
  const found = isId(id) ? await subscriptions.subscriptionById(deps.db, asked.caller.instanceId, id) : undefined;
  if (found?.form_id !== formId) throw Problem.notFound('webhook');
  refuseTrashed(form);
  if (found.source !== null) refuseRedefinition(patch);
  if (patch.target_url !== undefined && patch.target_url !== found.url) await deps.egress.vet(patch.target_url);

  const { caller } = asked;
  const now = deps.clock.now();
  const updated = await changeListeners(deps, async (trx) => {
    await lockPrincipal(trx, caller);
    const before = await subscriptions.lockSubscription(trx, { id, formId });
    if (!before) throw Problem.notFound('webhook');
    const { active = before.active, event = before.event, target_url: url = before.url } = patch;
    const changed = Object.entries({
      active: active !== before.active,
      event: event !== before.event,
      target_url: url !== before.url,
    }).flatMap(([field, isDifferent]) => (isDifferent ? [field] : []));
    // Activating an active webhook still counts: the cause may be a 410 that has not arrived here yet.
    if (changed.length === 0 && patch.active !== true) return before;

    // A higher revision, so that a late 410 response or anything else that concerns the older revision changes nothing.
    const changes = { active, event, url, revision: before.revision + 1, updated_at: changed.length === 0 ? before.updated_at : now };
    // A caller who activates it or changes its target becomes responsible for it.
    const isRenewal = (active && !before.active) || url !== before.url;
    if (isRenewal) await refuseUnentitled(trx, caller, { form: { ...toFormAccess(form), id: formId }, wanted: { source: null }, now });
    const renewal = isRenewal ? { form_creator_id: form.creator_id, renewed_by_kind: caller.kind, renewed_by_id: caller.id } : {};
    const after: SubscriptionRow = { ...before, ...changes, ...renewal };
    await subscriptions.updateSubscription(trx, after).catch(conflictIfSame);
    const deeds = changed.length === 0 ? [] : [audited(asked, hookDeed('webhook.updated', after, { changed }), now)];
    await record(trx, subscriptionChanged(after, active ? 'active' : 'inactive', now, asked.call), ...deeds);
    return after;
  });
  await followIfMoved(deps, asked, form);
  return updated;
}

/** Deletes a webhook or subscription permanently, also of a form in the trash; its pending deliveries are cancelled. */
export async function deleteWebhook(deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<void> {
  await authorizeOn(deps, asked, formId, 'change webhooks of this form');

  const now = deps.clock.now();
  await changeListeners(deps, async (trx) => {
    const row = isId(id) ? await subscriptions.lockSubscription(trx, { id, formId }) : undefined;
    const removed = row && (await subscriptions.deleteSubscription(trx, row.id));
    if (!removed) throw Problem.notFound('webhook');
    await record(trx, subscriptionChanged(removed, 'deleted', now, asked.call), audited(asked, hookDeed('webhook.deleted', removed), now));
  });
}

type FormFacts = Awaited<ReturnType<Deps['forms']['getFormAccess']>>;

async function authorizeOn({ forms }: Deps, { caller, call }: Asked<Client>, formId: string, action: FormAction): Promise<FormFacts> {
  if (!isId(formId)) throw Problem.notFound('form');
  const form = await forms.getFormAccess(call, { form_id: formId });
  authorize(formRole(caller, toFormAccess(form)), action);
  return form;
}

function refuseTrashed({ status }: FormFacts): void {
  if (status === 'trashed') throw Problem.badRequest('The form is in the trash and cannot be changed.');
}

function refuseRedefinition(patch: z.output<typeof WebhookUpdateRequest>): void {
  for (const field of ['event', 'target_url'] as const) {
    if (patch[field] !== undefined) throw Problem.badRequest(`${field}: can only be changed for webhooks created in the application`);
  }
}

const conflictIfSame = whenViolated({
  webhook_same: () => Problem.conflict('target_url: a webhook for this event and address already exists'),
});
