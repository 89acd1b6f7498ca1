import * as api from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { answer, answerAs, clientsWith, open, type Doors, type HooksDefinition } from '@sheaf/rpc';
import type { Deps } from './deps';
import { leaseListeners } from './listeners/listener-lease';
import { subscribe } from './subscribing/subscribe';
import { listOwnHooks } from './subscribing/own-hooks';
import { eventsOf, retryFor, type SubscriptionRow } from './subscription/subscriptions.queries';
import { unsubscribe } from './subscribing/unsubscribe';
import { previousSecretUntil, signatureOf } from './webhooks/merge-options';
import { createWebhook, deleteWebhook, getWebhook, getWebhookTarget, listWebhooks, updateWebhook } from './webhooks/webhooks';
import * as shapes from './shapes';

/**
 * The service's doors: the callers that each method admits, the shape of its request, and the translation between messages and use cases.
 */
export const doors = (deps: Deps): Doors<HooksDefinition> => ({
  subscribe: answer(api.createHookSubscription, async ({ form_id, target_url, event, source }, asked) =>
    subscription(await subscribe(deps, asked, { formId: form_id, targetUrl: target_url, event, source })),
  ),
  unsubscribe: answer(api.deleteHookSubscription, (request, asked) => unsubscribe(deps, asked, request)),

  listWebhooks: open(clientsWith('hooks:manage'), shapes.listWebhooks, async (wanted, asked) => ({
    webhooks: (await listWebhooks(deps, asked, named(wanted))).map((row) => webhook(row, deps.clock.now())),
  })),
  getWebhook: open(clientsWith('hooks:manage'), shapes.getWebhook, async ({ id, ...wanted }, asked) =>
    webhook(await getWebhook(deps, asked, { ...named(wanted), id }), deps.clock.now()),
  ),
  createWebhook: createWebhookDoor(deps),
  createWebhookWithOptions: createWebhookDoor(deps),
  updateWebhook: updateWebhookDoor(deps),
  updateWebhookWithOptions: updateWebhookDoor(deps),
  deleteWebhook: open(clientsWith('hooks:manage'), shapes.deleteWebhook, async ({ id, ...wanted }, asked) => {
    await deleteWebhook(deps, asked, { ...named(wanted), id });
    return {};
  }),
  getWebhookTarget: open(clientsWith('hooks:manage'), shapes.getWebhookTarget, async ({ id, ...wanted }, asked) =>
    target(await getWebhookTarget(deps, asked, { ...named(wanted), id })),
  ),
  listOwnHooks: answerAs(api.listOwnHooks, async (page, { caller }) => {
    const { rows, nextCursor } = await listOwnHooks(deps, caller, page);
    return { webhooks: rows.map((row) => webhook(row, deps.clock.now())), next_cursor: nextCursor };
  }),

  listListeners: open(['service'], shapes.listListeners, async ({ topics, places }, { caller }) => {
    if (caller.id !== 'delivery') throw Problem.forbidden('Only delivery may call this operation.');
    const wanted = topics.map(({ instance_id, form_id, event }) => ({ instanceId: instance_id, formId: form_id, event }));
    const known = places.map(({ form_id, workspace_id }) => ({ formId: form_id, workspaceId: workspace_id }));
    const { listeners, unplaced, leaseMs } = await leaseListeners(deps, wanted, known);
    // One with options is inactive to an earlier version of `delivery`, which would send without them.
    const listed = (isActive: boolean) =>
      listeners
        .filter(({ active, options }) => (active && options === null) === isActive)
        .map(({ active, source, link_origin, options, ...row }) => ({
          ...row,
          link_origin: link_origin ?? undefined,
          retry: retryFor({ source, retry: row.retry }),
          options: options === null ? '' : JSON.stringify(options),
          active_with_options: active && options !== null,
        }));
    return {
      listeners: listed(true),
      inactive: listed(false),
      keep_ms: leaseMs,
      unplaced_form_ids: unplaced,
    };
  }),
});

const createWebhookDoor = (deps: Deps) =>
  open(clientsWith('hooks:manage'), shapes.createWebhook, async ({ form_id, workspace_id, link_origin, ...wanted }, asked) =>
    changed(
      await createWebhook(deps, asked, { ...named({ form_id, workspace_id }), linkOrigin: link_origin, ...wanted }),
      wanted,
      deps.clock.now(),
    ),
  );

const updateWebhookDoor = (deps: Deps) =>
  open(clientsWith('hooks:manage'), shapes.updateWebhook, async ({ form_id, workspace_id, link_origin, ...patch }, asked) =>
    changed(
      await updateWebhook(deps, asked, { ...named({ form_id, workspace_id }), linkOrigin: link_origin, ...patch }),
      patch,
      deps.clock.now(),
    ),
  );

const named = ({ form_id, workspace_id }: { form_id?: string | undefined; workspace_id?: string | undefined }) => ({
  formId: form_id,
  workspaceId: workspace_id,
});

const subscription = ({ id, form_id, event, url, active, source }: SubscriptionRow) => ({
  id,
  form_id: form_id ?? '',
  event,
  url,
  active,
  source: source ?? api.applicationSource,
});

/** The webhook after a request, and whether that has made its secret the one of the webhook. */
const changed = (row: SubscriptionRow, { sealed_secret: sealed }: { sealed_secret?: string | undefined }, now: Date) => ({
  ...webhook(row, now),
  secret_taken: sealed !== undefined && row.options?.secrets?.[0]?.sealed === sealed,
});

const webhook = (row: SubscriptionRow, now: Date) => ({
  ...subscription(row),
  workspace_id: row.workspace_id ?? undefined,
  events: eventsOf(row),
  payload: row.payload,
  retry: row.retry ?? 'standard',
  signature: signatureOf(row),
  previous_secret_until: previousSecretUntil(row, now),
  header_names: (row.options?.headers ?? []).map(({ name }) => name),
  filter: row.options?.filter && JSON.stringify(row.options.filter),
  fields: row.options?.fields && JSON.stringify(row.options.fields),
  batch: row.options?.batch && JSON.stringify(row.options.batch),
  deactivated: deactivation(row),
  created_at: row.created_at.toISOString(),
  created_by: { kind: row.creator_kind ?? row.subscriber_kind, id: row.creator_id ?? row.subscriber_id },
});

const deactivation = ({ active, deactivated_reason: reason, deactivated_at: at, deactivated_detail: detail }: SubscriptionRow) =>
  active || reason === null || at === null ? undefined : { reason, at: at.toISOString(), detail: detail ?? undefined };

const target = ({ id, form_id, workspace_id, url, payload, link_origin, options, ...row }: SubscriptionRow) => ({
  id,
  form_id: form_id ?? '',
  workspace_id: workspace_id ?? undefined,
  events: eventsOf(row),
  url,
  payload,
  link_origin: link_origin ?? undefined,
  options: options === null ? '' : JSON.stringify(options),
});
