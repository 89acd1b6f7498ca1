import { DeliveriesQuery, DeliveryDetail, DeliveryList } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { pageOf, param, type Services } from '../services';

const base = '/app/v1';

export const deliveries = ({ deliveries }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/forms/:id/deliveries`,
    summary: 'List the deliveries of a form',
    access: { scope: 'hooks:manage' },
    query: DeliveriesQuery,
    status: 200,
    reply: DeliveryList,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query: { event, submission_id, from, to, cursor, ...query } }) => {
      if ((event ?? submission_id ?? from ?? to ?? cursor) !== undefined) {
        const { offset, ...search } = { ...query, event, submission_id, from, to, cursor };
        if (offset > 0) throw Problem.badRequest('offset: cannot be used with event, submission_id, from, to or cursor');
        const found = await deliveries.findDeliveries(call, { form_id: param(params, 'id'), ...search });
        const data = found.deliveries.map(listed);
        return { data, total_at_least: data.length, limit: query.limit, offset, next_cursor: found.next_cursor ?? null };
      }
      const page = await deliveries.listDeliveries(call, { form_id: param(params, 'id'), ...query });
      return pageOf(page.deliveries.map(listed), page.total, query);
    },
  }),
  route({
    method: 'get',
    path: `${base}/forms/:id/deliveries/:deliveryId`,
    summary: 'Get a delivery with its attempts',
    access: { scope: 'hooks:manage' },
    status: 200,
    reply: DeliveryDetail,
    errors: [401, 403, 404],
    handle: async ({ call, params }) =>
      detailOf(await deliveries.getDelivery(call, { form_id: param(params, 'id'), id: param(params, 'deliveryId') })),
  }),
];

type Delivered = Awaited<ReturnType<Services['deliveries']['getDelivery']>>;

/** A delivery in a list. */
export const listed = ({ attempts: _, ...delivery }: Delivered) => delivery;

/** A single delivery, with its body as text. */
export const detailOf = ({ body, attempts, ...delivery }: Delivered) => ({
  ...delivery,
  attempts: attempts.map(({ headers, ...attempt }) => (Object.keys(headers).length === 0 ? attempt : { ...attempt, headers })),
  ...(body === undefined ? {} : { body: body.toString() }),
});
