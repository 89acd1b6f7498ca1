import {
  getDelivery,
  listDeliveries,
  listInstanceWebhookDeliveries,
  listWorkspaceWebhookDeliveries,
  redeliverDeliveries,
  redeliverDelivery,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { pageOf, param, type Services } from '../services';
import { withHeaders } from './with-headers';

const pageRequest = asking(listDeliveries);
const deliveryRequest = asking(getDelivery);
const redeliveryRequest = asking(redeliverDelivery);
const rangeRequest = asking(redeliverDeliveries);
const ofWebhook = asking(listInstanceWebhookDeliveries);

/** The delivery log of a form and of webhooks that receive events of several, and redelivery. */
export const deliveries = ({ deliveries }: Services): Route[] => [
  route({
    ...rowOf(listDeliveries),
    handle: async ({ call, params, query: { submission_id, event, answer, reason, from, to, cursor, ...query } }) => {
      const filter = { submission_id, event, answer, reason, from, to, cursor };
      if (Object.values(filter).some((value) => value !== undefined)) {
        const { offset, ...search } = { ...query, ...filter };
        if (offset > 0) throw Problem.badRequest('offset: cannot be used with submission_id, event, answer, reason, from, to or cursor');
        const found = await deliveries.findDeliveries(call, { form_id: param(params, 'id'), ...search });
        const data = found.deliveries.map(listed);
        return { data, total_at_least: data.length, limit: query.limit, offset, next_cursor: found.next_cursor ?? null };
      }
      const page = await deliveries.listDeliveries(call, pageRequest({ params, query }));
      return pageOf(page.deliveries.map(listed), page.total, query);
    },
  }),
  route({
    ...rowOf(getDelivery),
    handle: async ({ call, params }) => detailOf(await deliveries.getDelivery(call, deliveryRequest({ params }))),
  }),
  route({
    ...rowOf(redeliverDelivery),
    handle: async ({ call, params }) => detailOf(await deliveries.redeliver(call, redeliveryRequest({ params }))),
  }),
  route({
    ...rowOf(redeliverDeliveries),
    handle: async ({ call, params, body }) => {
      const wanted = rangeRequest({ params, body });
      if (body.dry_run === true) return { redelivered: 0, ...(await deliveries.countRedeliverable(call, wanted)) };
      const { next_cursor: next, ...sent } = await deliveries.redeliverMany(call, wanted);
      return body.limit === undefined ? sent : { ...sent, next_cursor: next ?? null };
    },
  }),
  route({
    ...rowOf(listWorkspaceWebhookDeliveries),
    handle: async ({ call, params, query }) =>
      webhookPage(await deliveries.listWebhookDeliveries(call, ofWebhook({ params, query }, { workspace_id: param(params, 'id') }))),
  }),
  route({
    ...rowOf(listInstanceWebhookDeliveries),
    handle: async ({ call, params, query }) => webhookPage(await deliveries.listWebhookDeliveries(call, ofWebhook({ params, query }))),
  }),
];

type Delivered = Awaited<ReturnType<Services['deliveries']['getDelivery']>>;

/** A delivery in a list. */
const listed = ({ attempts: _, ...delivery }: Delivered) => delivery;

const webhookPage = ({ deliveries: found, next_cursor: next }: { deliveries: readonly Delivered[]; next_cursor?: string | undefined }) => ({
  data: found.map(listed),
  next_cursor: next ?? null,
});

/** A single delivery, with its body as text. */
const detailOf = ({ body, attempts, ...delivery }: Delivered) => ({
  ...delivery,
  attempts: attempts.map(({ response, ...attempt }) => withHeaders(response ? { ...attempt, response: withHeaders(response) } : attempt)),
  ...(body === undefined ? {} : { body: body.toString() }),
});
