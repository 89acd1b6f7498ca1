import * as api from '@sheaf/contracts';
import { answer, answerAs, clientsWith, open, type DeliveriesDefinition, type Doors } from '@sheaf/rpc';
import { shownConnection } from './attempts/shown-connection';
import { shownResponse } from './attempts/shown-response';
import type { Deps } from './deps';
import { momentOfId } from './ids-by-time';
import { publicWebhookKeys, rotateWebhookKeys, type ActiveKey } from './keys/webhook-keys';
import type { AttemptRow, DeliveryRow } from './log/deliveries.queries';
import { endListener, receiveEvents } from './listening/receive-events';
import { findDeliveries, listWebhookDeliveries } from './log/find-deliveries';
import { listAttempts, shownAttempt } from './log/list-attempts';
import { purposeOf } from './attempts/own-headers';
import { getDelivery, listDeliveries, type ShownDelivery } from './log/read-deliveries';
import { countRedeliverable, redeliver, redeliverMany, redeliverStep, type Step } from './log/redeliver';
import { shownDelivery } from './log/shown-delivery';
import { webhookHealth } from './log/webhook-health';
import type { HealthRow } from './log/webhook-health.queries';
import { testWebhook, type TestingDeps } from './payloads/test-webhook';
import * as shapes from './shapes';
import { makeSecret } from './keys/webhook-secret';

/** The service's doors: the callers that each admits, and the translation between messages and use cases. */
export const doors = (
  deps: Pick<Deps, 'db' | 'outbox' | 'clock' | 'hooks' | 'ownCall' | 'webhookKeys' | 'seals' | 'payloads' | 'listenedForms'> &
    TestingDeps & { wake: () => void },
): Doors<DeliveriesDefinition> => ({
  listDeliveries: answerAs(
    api.listDeliveries,
    async ({ form_id: formId, subscription_id: subscriptionId, limit, offset, state }, asked) => {
      const { rows, total } = await listDeliveries(deps, asked, { formId, limit, offset, state, subscriptionId });
      return { deliveries: rows.map(delivery), total };
    },
  ),
  findDeliveries: open(
    clientsWith('hooks:manage'),
    shapes.findDeliveries,
    async ({ form_id: formId, subscription_id: subscriptionId, submission_id: submissionId, ...search }, asked) => {
      const { rows, nextCursor } = await findDeliveries(deps, asked, { formId, subscriptionId, submissionId, ...search });
      return { deliveries: rows.map(delivery), next_cursor: nextCursor };
    },
  ),
  listWebhookDeliveries: answer(
    api.listInstanceWebhookDeliveries,
    async ({ workspace_id: workspaceId, submission_id: submissionId, ...wanted }, asked) => {
      const { rows, nextCursor } = await listWebhookDeliveries(deps, asked, { workspaceId, submissionId, ...wanted });
      return { data: rows.map(delivery), next_cursor: nextCursor ?? null };
    },
  ),
  getWebhookHealth: open(
    clientsWith('hooks:manage'),
    shapes.getWebhookHealth,
    async ({ form_id: formId, workspace_id: workspaceId, id }, asked) => ({
      webhooks: (await webhookHealth(deps, asked, { formId, workspaceId, id })).map(health),
    }),
  ),
  getDelivery: answerAs(api.getDelivery, async ({ form_id, id }, asked) => detail(await getDelivery(deps, asked, { formId: form_id, id }))),
  listDeliveryAttempts: answer(
    api.listDeliveryAttempts,
    async ({ form_id: formId, subscription_id: subscriptionId, limit, from, cursor }, asked) => {
      const { rows, nextCursor, asOf } = await listAttempts(deps, asked, { formId, subscriptionId, limit, from, cursor });
      return { data: rows.map(shownAttempt), next_cursor: nextCursor ?? null, as_of: asOf.toISOString() };
    },
  ),
  redeliver: answerAs(api.redeliverDelivery, async ({ form_id, id }, asked) =>
    detail(await redeliver(deps, asked, { formId: form_id, id })),
  ),
  redeliverMany: answerAs(api.redeliverDeliveries, async (wanted, asked) => {
    const step = stepOf(wanted);
    if (!step) return { redelivered: await redeliverMany(deps, asked, rangeOf(wanted)) };
    const { redelivered, waiting, nextCursor } = await redeliverStep(deps, asked, rangeOf(wanted), step);
    return { redelivered, waiting, next_cursor: nextCursor };
  }),
  countRedeliverable: open(clientsWith('hooks:manage'), shapes.countRedeliverable, async (wanted, asked) => {
    const { matching, isExact } = await countRedeliverable(deps, asked, rangeOf(wanted), stepOf(wanted));
    return isExact ? { matching } : { matching_at_least: matching };
  }),

  testWebhook: open(clientsWith('hooks:manage'), shapes.testWebhook, (wanted, asked) => testWebhook(deps, asked, wanted)),

  receiveFormEvents: answer(api.receiveFormEvents, (wanted, asked) => receiveEvents(deps, asked, wanted)),
  endFormListener: answer(api.endFormListener, (wanted, asked) => endListener(deps, asked, wanted)),

  sealHeaders: open(clientsWith('hooks:manage'), shapes.sealHeaders, async ({ headers }, { caller }) => ({
    headers: await Promise.all(
      headers.map(async ({ name, value }) => ({ name, sealed: await deps.seals.seal(caller.instanceId, purposeOf(name), value) })),
    ),
  })),
  makeSecret: open(clientsWith('hooks:manage'), shapes.makeSecret, (_, { caller }) => makeSecret(deps, caller.instanceId)),
  listWebhookKeys: answerAs(api.listWebhookKeys, async (_, { caller }) => keyList(await publicWebhookKeys(deps, caller))),
  rotateWebhookKeys: answerAs(api.rotateWebhookKeys, async (_, asked) => keyList(await rotateWebhookKeys(deps, asked))),
});

const rangeOf = ({ form_id, from, to, state, subscription_id }: api.RequestOf<typeof api.redeliverDeliveries>) => ({
  formId: form_id,
  from: new Date(from),
  to: new Date(to),
  state,
  subscriptionId: subscription_id,
});

const stepOf = ({ limit, cursor }: Pick<api.RequestOf<typeof api.redeliverDeliveries>, 'limit' | 'cursor'>): Step | undefined =>
  limit === undefined ? undefined : { limit, cursor };

const delivery = (row: DeliveryRow) => ({
  ...shownDelivery(row),
  reason: row.reason ?? undefined,
  next_attempt_at: row.next_attempt_at?.toISOString(),
  created_at: row.created_at.toISOString(),
  request_id: row.request_id ?? undefined,
});

const detail = ({ row, attempts }: ShownDelivery) => ({
  ...delivery(row),
  attempts: attempts.map(attempt),
  body: row.body === undefined ? undefined : Buffer.from(row.body),
});

const attempt = ({ number, started_at, duration_ms, status, error, code, url, headers, response, connection, batch_id }: AttemptRow) => ({
  number,
  started_at: started_at.toISOString(),
  duration_ms: duration_ms ?? undefined,
  status: status ?? undefined,
  error: error ?? undefined,
  code: code ?? undefined,
  url: url ?? undefined,
  headers: headers ?? {},
  response: response ? shownResponse(response) : undefined,
  connection: connection ? shownConnection(connection) : undefined,
  batch_id: batch_id ?? undefined,
});

const health = ({
  id,
  failing_since: since,
  last_status: status,
  last_error: error,
  last_code: code,
  last_delivered_at: deliveredAt,
  ...row
}: HealthRow) => ({
  id,
  failing:
    since === null
      ? undefined
      : {
          since: since.toISOString(),
          last_status: status ?? undefined,
          last_error: error ?? undefined,
          last_code: code ?? undefined,
        },
  last_delivered_at: deliveredAt?.toISOString(),
  skipped: row.skipped_from === null ? undefined : { count: row.skipped, from: momentOfId(row.skipped_from).toISOString() },
  withheld: row.withheld_at === null ? undefined : { count: row.withheld_count, last_at: row.withheld_at.toISOString() },
});

const keyList = (keys: readonly ActiveKey[]) => ({
  keys: keys.map(({ kid, x, retiresAt }) => ({ kid, x, retires_at: retiresAt?.toISOString() })),
});
