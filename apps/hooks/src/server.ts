import { applicationSource } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { clientsWith, open, type Doors, type HooksDefinition } from '@sheaf/rpc';
import type { Deps } from './deps';
import { leaseListeners } from './listener-lease';
import { subscribe } from './subscribe';
import type { SubscriptionRow } from './subscriptions.queries';
import { unsubscribe } from './unsubscribe';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks';
import * as shapes from './shapes';

/**
 * The service's doors: the callers that each method admits, the shape of its request, and the translation between messages and use cases.
 */
export const doors = (deps: Deps): Doors<HooksDefinition> => ({
  subscribe: open(clientsWith('hooks:manage'), shapes.subscribe, async ({ form_id, target_url, event, source }, asked) =>
    subscription(await subscribe(deps, asked, { formId: form_id, targetUrl: target_url, event, source })),
  ),
  unsubscribe: open(clientsWith('hooks:manage'), shapes.unsubscribe, async ({ id }, asked) => {
    await unsubscribe(deps, asked, { id });
    return {};
  }),

  listWebhooks: open(clientsWith('hooks:manage'), shapes.listWebhooks, async ({ form_id }, asked) => ({
    webhooks: (await listWebhooks(deps, asked, { formId: form_id })).map(webhook),
  })),
  createWebhook: open(clientsWith('hooks:manage'), shapes.createWebhook, async ({ form_id, ...wanted }, asked) =>
    webhook(await createWebhook(deps, asked, { formId: form_id, ...wanted })),
  ),
  updateWebhook: open(clientsWith('hooks:manage'), shapes.updateWebhook, async ({ form_id, id, ...patch }, asked) =>
    webhook(await updateWebhook(deps, asked, { formId: form_id, id, ...patch })),
  ),
  deleteWebhook: open(clientsWith('hooks:manage'), shapes.deleteWebhook, async ({ form_id, id }, asked) => {
    await deleteWebhook(deps, asked, { formId: form_id, id });
    return {};
  }),

  listListeners: open(['service'], shapes.listListeners, async ({ topics }, { caller }) => {
    if (caller.id !== 'delivery') throw Problem.forbidden('Only delivery may call this operation.');
    const wanted = topics.map(({ instance_id, form_id, event }) => ({ instanceId: instance_id, formId: form_id, event }));
    const { listeners, leaseMs } = await leaseListeners(deps, wanted);
    return { listeners, keep_ms: leaseMs };
  }),
});

const subscription = ({ id, form_id, event, url, active, source }: SubscriptionRow) => ({
  id,
  form_id,
  event,
  url,
  active,
  source: source ?? applicationSource,
});

const webhook = (row: SubscriptionRow) => ({
  ...subscription(row),
  created_at: row.created_at.toISOString(),
  created_by: { kind: row.subscriber_kind, id: row.subscriber_id },
});
