import { Problem } from '@sheaf/kernel';
import { open, type Doors, type HooksDefinition } from '@sheaf/rpc';
import type { Deps } from './deps';
import { subscribe } from './subscribe';
import { listenersTo, type SubscriptionRow } from './subscriptions.queries';
import { unsubscribe } from './unsubscribe';

/** The service's doors: who may knock, and the translation between messages and use cases. */
export const doors = (deps: Deps): Doors<HooksDefinition> => ({
  subscribe: open(['user', 'service_account'], async ({ form_id, target_url, event, source }, asked) =>
    subscription(await subscribe(deps, asked, { formId: form_id, targetUrl: target_url, event, source })),
  ),
  unsubscribe: open(['user', 'service_account'], async ({ id }, asked) => {
    await unsubscribe(deps, asked, { id });
    return {};
  }),

  listListeners: open(['service'], async ({ topics }, { caller }) => {
    if (caller.id !== 'delivery') throw Problem.forbidden('This operation is for delivery alone.');
    const rows = await listenersTo(deps.db, topics.map(({ instance_id, form_id, event }) => ({ instanceId: instance_id, formId: form_id, event })));
    return { listeners: rows.map(({ id, instance_id, form_id, event, url, revision }) => ({ id, instance_id, form_id, event, url, revision })) };
  }),
});

const subscription = ({ id, form_id, event, url, active, source }: SubscriptionRow) => ({ id, form_id, event, url, active, source: source ?? '' });
