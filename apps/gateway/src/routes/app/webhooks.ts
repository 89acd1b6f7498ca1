import { Webhook, WebhookList, WebhookRequest, WebhookUpdateRequest } from '@sheaf/contracts';
import { refuseOwnOrigin } from '../../own-origin';
import { route, type Route } from '../../route';
import { param, wholeList, type Services } from '../services';

const base = '/app/v1';

export const webhooks = ({ hooks, workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/forms/:id/webhooks`,
    summary: 'List the webhooks of a form',
    access: { scope: 'hooks:manage' },
    status: 200,
    reply: WebhookList,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => wholeList((await hooks.listWebhooks(call, { form_id: param(params, 'id') })).webhooks),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/webhooks`,
    summary: 'Create a webhook for a form',
    access: { scope: 'hooks:manage' },
    body: WebhookRequest,
    status: 201,
    reply: Webhook,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      return hooks.createWebhook(call, { form_id: param(params, 'id'), ...body });
    },
  }),
  route({
    method: 'patch',
    path: `${base}/forms/:id/webhooks/:webhookId`,
    summary: 'Update a webhook of a form',
    access: { scope: 'hooks:manage' },
    body: WebhookUpdateRequest,
    status: 200,
    reply: Webhook,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      return hooks.updateWebhook(call, { form_id: param(params, 'id'), id: param(params, 'webhookId'), ...body });
    },
  }),
  route({
    method: 'delete',
    path: `${base}/forms/:id/webhooks/:webhookId`,
    summary: 'Delete a webhook of a form',
    access: { scope: 'hooks:manage' },
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) => hooks.deleteWebhook(call, { form_id: param(params, 'id'), id: param(params, 'webhookId') }),
  }),
];
