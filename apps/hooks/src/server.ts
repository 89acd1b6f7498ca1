import { setTimeout as sleep } from 'node:timers/promises';
import { applicationSource, understood, WebhookRequest, WebhookUpdateRequest } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { clientsWith, open, type Doors, type HooksDefinition } from '@sheaf/rpc';
import type { Deps } from './deps';
import { subscribe } from './subscribe';
import { listenersTo, type SubscriptionRow } from './subscriptions.queries';
import { unsubscribe } from './unsubscribe';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks';

/** The service's doors: who may knock, and the translation between messages and use cases. */
export const doors = (deps: Deps): Doors<HooksDefinition> => {
  const told = toldAfter(deps.listenersKeptMs + slackMs);
  return {
    subscribe: open(clientsWith('hooks:manage'), async ({ form_id, target_url, event, source }, asked) =>
      subscription(await told(subscribe(deps, asked, { formId: form_id, targetUrl: target_url, event, source }))),
    ),
    unsubscribe: open(clientsWith('hooks:manage'), async ({ id }, asked) => {
      await told(unsubscribe(deps, asked, { id }));
      return {};
    }),

    listWebhooks: open(clientsWith('hooks:manage'), async ({ form_id }, asked) => ({ webhooks: (await listWebhooks(deps, asked, { formId: form_id })).map(webhook) })),
    createWebhook: open(clientsWith('hooks:manage'), async ({ form_id, ...wanted }, asked) =>
      webhook(await told(createWebhook(deps, asked, { formId: form_id, ...understood(WebhookRequest, wanted) }))),
    ),
    updateWebhook: open(clientsWith('hooks:manage'), async ({ form_id, id, ...patch }, asked) =>
      webhook(await told(updateWebhook(deps, asked, { formId: form_id, id, ...understood(WebhookUpdateRequest, patch) }))),
    ),
    deleteWebhook: open(clientsWith('hooks:manage'), async ({ form_id, id }, asked) => {
      await told(deleteWebhook(deps, asked, { formId: form_id, id }));
      return {};
    }),

    listListeners: open(['service'], async ({ topics }, { caller }) => {
      if (caller.id !== 'delivery') throw Problem.forbidden('This operation is for delivery alone.');
      const listeners = await listenersTo(deps.db, topics.map(({ instance_id, form_id, event }) => ({ instanceId: instance_id, formId: form_id, event })));
      return { listeners, keep_ms: deps.listenersKeptMs };
    }),
  };
};

/** A timer may be early by a millisecond. */
const slackMs = 5;

/**
 * Tells of a change only when `delivery` uses no answer any more that it was given before it. So it may remember them, and yet everything
 * that is submitted after somebody was told that they subscribed reaches them, and nothing that was after they were told it is over. This
 * also goes for who changes nothing: another one may have made the change a moment ago.
 */
const toldAfter = (ms: number) => async <T>(change: Promise<T>): Promise<T> => {
  const done = await change;
  await sleep(ms);
  return done;
};

const subscription = ({ id, form_id, event, url, active, source }: SubscriptionRow) => ({ id, form_id, event, url, active, source: source ?? applicationSource });

const webhook = (row: SubscriptionRow) => ({
  ...subscription(row),
  created_at: row.created_at.toISOString(),
  created_by: { kind: row.subscriber_kind, id: row.subscriber_id },
});
