import { DeliveryDetail, Redelivered, RedeliverRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';
import { detailOf } from './deliveries';

const base = '/app/v1';

/** Redelivery of finished deliveries. */
export const redelivery = ({ deliveries }: Services): Route[] => [
  route({
    method: 'post',
    path: `${base}/forms/:id/deliveries/:deliveryId/redeliver`,
    summary: 'Redeliver a delivery',
    access: { scope: 'hooks:manage' },
    status: 202,
    reply: DeliveryDetail,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params }) =>
      detailOf(await deliveries.redeliver(call, { form_id: param(params, 'id'), id: param(params, 'deliveryId') })),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/deliveries/redeliver`,
    summary: 'Redeliver the deliveries of a period',
    access: { scope: 'hooks:manage' },
    body: RedeliverRequest,
    status: 202,
    reply: Redelivered,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body: { dry_run: isDryRun, ...range } }) => {
      const wanted = { form_id: param(params, 'id'), ...range };
      return isDryRun ? { redelivered: 0, ...(await deliveries.countRedeliverable(call, wanted)) } : deliveries.redeliverMany(call, wanted);
    },
  }),
];
