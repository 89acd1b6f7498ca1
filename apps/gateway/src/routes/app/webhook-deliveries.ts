import { WebhookDeliveriesQuery, WebhookDeliveryList } from '@sheaf/contracts';
import type { InstanceAction } from '@sheaf/kernel';
import { route, type Access, type Route } from '../../route';
import { param, type Services } from '../services';
import { listed } from './deliveries';

/** Webhooks that receive events of more than one form, so that no list of a form's deliveries has all of theirs. */
const wide = [
  // Service accounts are members of no workspace.
  { base: '/app/v1/workspaces/:id/webhooks', of: 'a workspace', access: 'person', onInstance: undefined, inWorkspace: true },
  {
    base: '/app/v1/webhooks',
    of: 'the instance',
    access: { scope: 'hooks:manage' },
    onInstance: 'manage webhooks of this instance',
    inWorkspace: false,
  },
] as const satisfies readonly { base: string; of: string; access: Access; onInstance: InstanceAction | undefined; inWorkspace: boolean }[];

export const webhookDeliveries = ({ deliveries }: Services): Route[] =>
  wide.map(({ base, of, access, onInstance, inWorkspace }) =>
    route({
      method: 'get',
      path: `${base}/:webhookId/deliveries`,
      summary: `List the deliveries to a webhook of ${of}`,
      access,
      onInstance,
      query: WebhookDeliveriesQuery,
      status: 200,
      reply: WebhookDeliveryList,
      errors: [400, 401, 403, 404],
      handle: async ({ call, params, query }) => {
        const { deliveries: found, next_cursor: next } = await deliveries.listWebhookDeliveries(call, {
          ...(inWorkspace ? { workspace_id: param(params, 'id') } : {}),
          id: param(params, 'webhookId'),
          ...query,
        });
        return { data: found.map(listed), next_cursor: next ?? null };
      },
    }),
  );
