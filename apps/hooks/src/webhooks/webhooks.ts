import { isDeepStrictEqual } from 'node:util';
import { eventsIn, type WebhookRequest, type WebhookUpdateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { demandScope, isId, newId, Problem, type Client } from '@sheaf/kernel';
import { whenViolated, type Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { carriesAnswers } from '../entitlement/entitlement';
import { lockPrincipal } from '../entitlement/standing.queries';
import { changeListeners } from '../listeners/listener-lease';
import { refuseTooMany } from '../subscription/refuse-too-many';
import { hookDeed, subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';
import { eventsOf, plainWebhook, type SubscriptionRow, type WebhookScope } from '../subscription/subscriptions.queries';
import { checkedChoice, mergeChoice, refuseUnfitChoice, type WantedChoice } from './checked-choice';
import { mergeHeaders, mergeSecrets, optionsWith, signatureOf, type WantedHeader, type WantedSecret } from './merge-options';
import { authorizeOn, type Named } from './webhook-scope';

// The application shows all webhooks and subscriptions of a form, and its owners and editors manage all of them. A platform's subscription
// can be deactivated and deleted, but its events, target and payload stay as the platform requested them.

/** The origin at which the caller reaches this deployment, for links in named payloads. */
interface From {
  linkOrigin?: string | undefined;
}

/** The headers and the secret as the gateway had `delivery` seal them. No other service has their values. */
interface Sealed extends Pick<WantedSecret, 'sealed_secret'> {
  sealed_headers?: { headers: readonly WantedHeader[] } | undefined;
}

type Wanted = Omit<z.output<typeof WebhookRequest>, keyof WantedChoice> & WantedChoice;
type Patch = Omit<z.output<typeof WebhookUpdateRequest>, keyof WantedChoice> & WantedChoice & Sealed;

/** An address may contain a secret, so callers who may not change webhooks see only the origins of addresses that are not their own. */
export async function listWebhooks(deps: Deps, asked: Asked<Client>, named: Named): Promise<SubscriptionRow[]> {
  const { scope, mayChange } = await authorizeOn(deps, asked, named, 'read');
  return (await subscriptions.subscriptionsOf(deps.db, scope)).map((row) => visibleTo(asked.caller, mayChange, row));
}

/** @throws Problem `not_found` */
export async function getWebhook(deps: Deps, asked: Asked<Client>, { id, ...named }: Named & { id: string }): Promise<SubscriptionRow> {
  const { scope, mayChange } = await authorizeOn(deps, asked, named, 'read');
  return visibleTo(asked.caller, mayChange, await find(deps, scope, id));
}

/** The webhook with its whole address, for callers who may change it. @throws Problem `not_found`, `forbidden` */
export async function getWebhookTarget(
  deps: Deps,
  asked: Asked<Client>,
  { id, ...named }: Named & { id: string },
): Promise<SubscriptionRow> {
  return find(deps, (await authorizeOn(deps, asked, named, 'change')).scope, id);
}

/**
 * @throws Problem `insufficient_scope` for a service account that may not read the answers that the webhook carries; `bad_request` for a form in the
 *   trash, a target that may not be called, or too many webhooks; `conflict` if a webhook for one of the events and this address exists.
 */
export async function createWebhook(
  deps: Deps,
  asked: Asked<Client>,
  {
    formId,
    workspaceId,
    target_url: url,
    payload = 'contract',
    retry = 'standard',
    linkOrigin,
    sealed_headers: sealed,
    signature,
    sealed_secret,
    filter,
    fields,
    batch,
    ...given
  }: Named & Wanted & From & Sealed,
): Promise<SubscriptionRow> {
  const { caller } = asked;
  const [event, ...moreEvents] = eventsIn(given) ?? [];
  if (event === undefined) throw Problem.badRequest('event: is required');
  const place = await authorizeOn(deps, asked, { formId, workspaceId }, 'change');
  if (carriesAnswers({ event, more_events: moreEvents, source: null })) demandScope(caller, ['submissions:read']);
  place.refuseTrashed();
  const choice = mergeChoice({ options: null }, await checkedChoice(deps, asked, formId, { filter, fields, batch }));
  // Last, only for authorized callers, because it queries name servers that the caller chose.
  await deps.egress.vet(url);

  const now = deps.clock.now();
  const row = {
    ...plainWebhook,
    ...place.columns,
    id: newId(),
    instance_id: caller.instanceId,
    event,
    more_events: moreEvents,
    url,
    payload,
    link_origin: linkOrigin ?? null,
    retry,
    options: optionsWith(null, {
      headers: mergeHeaders({ url, options: null }, url, sealed?.headers),
      secrets: mergeSecrets({ options: null }, { signature, sealed_secret }, now),
      ...choice,
    }),
    source: null,
    subscriber_kind: caller.kind,
    subscriber_id: caller.id,
    created_at: now,
    updated_at: now,
  } satisfies SubscriptionRow;
  refuseUnfitChoice(row);
  const created = await changeListeners(deps, async (trx) => {
    await lockPrincipal(trx, caller);
    await place.refuseUnentitled(trx, row, now);
    await subscriptions.lockSubscriptionsOf(trx, place.scope);
    await refuseRepeated(trx, place.scope, row);
    await subscriptions.insertWebhook(trx, row).catch(conflictIfSame);
    await refuseTooMany(deps, trx, place.scope);
    await record(trx, subscriptionChanged(row, 'active', now, asked.call), audited(asked, hookDeed('webhook.created', row), now));
    return row;
  });
  await place.followIfMoved();
  return created;
}

/**
 * Activates or deactivates a webhook, or changes its events, target or payload; absent fields stay unchanged. Deactivation cancels its
 * pending deliveries; a new target or payload applies to them. Those of an event that it does not listen to any more are not sent.
 * @throws Problem as `createWebhook`; also `bad_request` for changing more of a platform's subscription than whether it is active.
 */
export async function updateWebhook(
  deps: Deps,
  asked: Asked<Client>,
  { formId, workspaceId, id, linkOrigin, ...patch }: Named & Patch & From & { id: string },
): Promise<SubscriptionRow> {
  const place = await authorizeOn(deps, asked, { formId, workspaceId }, 'change');
  const found = await find(deps, place.scope, id);
  place.refuseTrashed();
  if (found.source !== null) refuseRedefinition(patch);
  const choice = await checkedChoice(deps, asked, formId, patch);
  if (patch.target_url !== undefined && patch.target_url !== found.url) await deps.egress.vet(patch.target_url);

  const { caller } = asked;
  const now = deps.clock.now();
  const updated = await changeListeners(deps, async (trx) => {
    await lockPrincipal(trx, caller);
    await subscriptions.lockSubscriptionsOf(trx, place.scope);
    const before = await subscriptions.lockSubscription(trx, place.scope, id);
    if (!before) throw Problem.notFound('webhook');
    const wanted = merged(before, { ...patch, ...choice }, { linkOrigin, now });
    refuseUnfitChoice(wanted);
    const changed = changedFields(before, wanted);
    // Activating an active webhook still counts: the cause may be a 410 that has not arrived here yet.
    if (changed.length === 0 && patch.active !== true) return before;
    // How long it is tried is neither where nor what it sends.
    const isRedefined = changed.some((field) => field !== 'active' && field !== 'retry');
    const isSwitchedOffOnly = !wanted.active && !isRedefined;
    // Also if it carried answers until now: some may still be on their way, or be sent again.
    if ((carriesAnswers(before) || carriesAnswers(wanted)) && !isSwitchedOffOnly) demandScope(caller, ['submissions:read']);

    const isRenewed = wanted.active && !before.active;
    if (isRedefined || isRenewed) await place.refuseUnentitled(trx, wanted, now);
    const { form_creator_id } = place.columns;
    const renewal = isRenewed ? { form_creator_id, renewed_by_kind: caller.kind, renewed_by_id: caller.id } : {};
    const responsible = isRedefined ? { form_creator_id, ...heldOnlyBy(caller, before) } : renewal;
    // A higher revision, so that a late 410 response or anything else that concerns the older revision changes nothing.
    const changes = { revision: before.revision + 1, updated_at: changed.length === 0 ? before.updated_at : now };
    const after: SubscriptionRow = { ...wanted, ...changes, ...responsible };
    if (after.source === null) await refuseRepeated(trx, place.scope, after);
    await subscriptions.updateSubscription(trx, after).catch(conflictIfSame);
    const deeds = changed.length === 0 ? [] : [audited(asked, hookDeed('webhook.updated', after, { changed }), now)];
    await record(trx, subscriptionChanged(after, after.active ? 'active' : 'inactive', now, asked.call), ...deeds);
    return after;
  });
  await place.followIfMoved();
  return updated;
}

/** Deletes a webhook or subscription permanently, also of a form in the trash; its pending deliveries are cancelled. */
export async function deleteWebhook(deps: Deps, asked: Asked<Client>, { id, ...named }: Named & { id: string }): Promise<void> {
  const { scope } = await authorizeOn(deps, asked, named, 'change');

  const now = deps.clock.now();
  await changeListeners(deps, async (trx) => {
    const row = isId(id) ? await subscriptions.lockSubscription(trx, scope, id) : undefined;
    const removed = row && (await subscriptions.deleteSubscription(trx, row.id));
    if (!removed) throw Problem.notFound('webhook');
    await record(trx, subscriptionChanged(removed, 'deleted', now, asked.call), audited(asked, hookDeed('webhook.deleted', removed), now));
  });
}

async function find({ db }: Pick<Deps, 'db'>, scope: WebhookScope, id: string): Promise<SubscriptionRow> {
  const found = isId(id) ? await subscriptions.subscriptionIn(db, scope, id) : undefined;
  if (!found) throw Problem.notFound('webhook');
  return found;
}

const visibleTo = (caller: Client, mayChange: boolean, row: SubscriptionRow): SubscriptionRow =>
  mayChange || (row.subscriber_kind === caller.kind && row.subscriber_id === caller.id) ? row : { ...row, url: new URL(row.url).origin };

function merged(before: SubscriptionRow, patch: Patch, { linkOrigin, now }: From & { now: Date }): SubscriptionRow {
  const { active = before.active, target_url: url = before.url, payload = before.payload, retry = before.retry } = patch;
  const [event, ...more_events] = eventsIn(patch) ?? [before.event, ...before.more_events];
  const link_origin = linkOrigin ?? before.link_origin;
  const options = optionsWith(before.options, {
    headers: mergeHeaders(before, url, patch.sealed_headers?.headers),
    secrets: mergeSecrets(before, patch, now),
    ...mergeChoice(before, patch),
  });
  return {
    ...before,
    ...(active === before.active ? {} : activity(active, now)),
    url,
    payload,
    retry,
    event,
    more_events,
    link_origin,
    options,
  };
}

const heldOnlyBy = ({ kind, id }: Client, before: SubscriptionRow): Partial<SubscriptionRow> => ({
  subscriber_kind: kind,
  subscriber_id: id,
  creator_kind: before.creator_kind ?? before.subscriber_kind,
  creator_id: before.creator_id ?? before.subscriber_id,
  renewed_by_kind: null,
  renewed_by_id: null,
});

const activity = (active: boolean, now: Date): Partial<SubscriptionRow> => ({
  active,
  deactivated_reason: active ? null : 'switched_off',
  deactivated_at: active ? null : now,
  deactivated_detail: null,
});

const changedFields = (before: SubscriptionRow, after: SubscriptionRow): string[] =>
  Object.entries({
    active: after.active !== before.active,
    event: eventsOf(after).join() !== eventsOf(before).join(),
    target_url: after.url !== before.url,
    payload: after.payload !== before.payload,
    retry: (after.retry ?? 'standard') !== (before.retry ?? 'standard'),
    signature: signatureOf(after) !== signatureOf(before),
    secret: signatureOf(after) === 'v1' && after.options?.secrets?.[0]?.sealed !== before.options?.secrets?.[0]?.sealed,
    headers: JSON.stringify(after.options?.headers) !== JSON.stringify(before.options?.headers),
    filter: !isDeepStrictEqual(after.options?.filter, before.options?.filter),
    fields: !isDeepStrictEqual(after.options?.fields, before.options?.fields),
    batch: !isDeepStrictEqual(after.options?.batch, before.options?.batch),
  }).flatMap(([field, isDifferent]) => (isDifferent ? [field] : []));

function refuseRedefinition(patch: Patch): void {
  if (patch.sealed_headers !== undefined) throw Problem.badRequest('headers: can only be changed for webhooks created in the application');
  for (const field of [
    'event',
    'events',
    'target_url',
    'payload',
    'retry',
    'signature',
    'new_secret',
    'filter',
    'fields',
    'batch',
  ] as const) {
    if (patch[field] !== undefined) throw Problem.badRequest(`${field}: can only be changed for webhooks created in the application`);
  }
}

const sameExists = () => Problem.conflict('target_url: a webhook for this event and address already exists');

async function refuseRepeated(trx: Transaction, scope: WebhookScope, row: SubscriptionRow): Promise<void> {
  if (await subscriptions.isRepeated(trx, scope, { id: row.id, url: row.url, events: eventsOf(row) })) throw sameExists();
}

/** An earlier release may insert one meanwhile without locking the others. */
const conflictIfSame = whenViolated({ webhook_same: sameExists });
