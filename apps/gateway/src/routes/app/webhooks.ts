import {
  OwnHookList,
  OwnHooksQuery,
  Webhook,
  WebhookList,
  WebhookRequest,
  WebhookTestRequest,
  WebhookTestResult,
  WebhookUpdateRequest,
} from '@sheaf/contracts';
import type { InstanceAction } from '@sheaf/kernel';
import { linkOrigin } from '../../origins/link-origin';
import { refuseOwnOrigin } from '../../origins/own-origin';
import { route, type Access, type HandlerContext, type Route } from '../../route';
import { param, wholeList, type Services } from '../services';
import { webhookHealth } from './webhook-health';

type Params = Readonly<Record<string, string>>;
type WebhookMessage = Awaited<ReturnType<Services['hooks']['getWebhook']>>;

/** The forms whose events a webhook receives: where its operations are, and how messages name them. */
interface Scope {
  base: string;
  /** As in "Create a webhook for a form". */
  of: string;
  named: (params: Params) => { form_id?: string; workspace_id?: string };
  mayBeMissing: boolean;
  access: Access;
  onInstance?: InstanceAction;
}

const withScope = { scope: 'hooks:manage' } as const;

const scopes: readonly Scope[] = [
  {
    base: '/app/v1/forms/:id/webhooks',
    of: 'a form',
    named: (params) => ({ form_id: param(params, 'id') }),
    mayBeMissing: true,
    access: withScope,
  },
  {
    base: '/app/v1/workspaces/:id/webhooks',
    of: 'a workspace',
    named: (params) => ({ workspace_id: param(params, 'id') }),
    mayBeMissing: true,
    // Service accounts are members of no workspace.
    access: 'person',
  },
  {
    base: '/app/v1/webhooks',
    of: 'the instance',
    named: () => ({}),
    mayBeMissing: false,
    access: withScope,
    onInstance: 'manage webhooks of this instance',
  },
];

export const webhooks = (services: Services): Route[] => [
  ...scopes.flatMap((scope) => webhooksOf(scope, services)),
  route({
    method: 'get',
    path: '/app/v1/hooks',
    summary: 'List your webhooks and subscriptions',
    access: withScope,
    query: OwnHooksQuery,
    status: 200,
    reply: OwnHookList,
    errors: [400, 401, 403],
    handle: async ({ call, query }) => {
      const { webhooks: found, next_cursor: next } = await services.hooks.listOwnHooks(call, query);
      return { data: found.map(shown), next_cursor: next ?? null };
    },
  }),
];

const webhooksOf = ({ base, of, named, mayBeMissing, access, onInstance }: Scope, { hooks, deliveries, workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: base,
    summary: `List the webhooks of ${of}`,
    access,
    onInstance,
    status: 200,
    reply: WebhookList,
    errors: mayBeMissing ? [401, 403, 404] : [401, 403],
    handle: async ({ call, params }) => {
      const [{ webhooks: found }, healthOf] = await Promise.all([
        hooks.listWebhooks(call, named(params)),
        webhookHealth({ deliveries }, call, named(params)),
      ]);
      return wholeList(found.map((webhook) => ({ ...shown(webhook), ...healthOf(webhook.id) })));
    },
  }),
  route({
    method: 'post',
    path: base,
    summary: `Create a webhook for ${of}`,
    access,
    onInstance,
    body: WebhookRequest,
    status: 201,
    reply: Webhook,
    errors: mayBeMissing ? [400, 401, 403, 404, 409] : [400, 401, 403, 409],
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      return shown(await hooks.createWebhook(call, { ...named(params), ...body, ...(await linksOf(workspaces, body, context)) }));
    },
  }),
  route({
    method: 'get',
    path: `${base}/:webhookId`,
    summary: `Get a webhook of ${of}`,
    access,
    onInstance,
    status: 200,
    reply: Webhook,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const wanted = { ...named(params), id: param(params, 'webhookId') };
      const [webhook, healthOf] = await Promise.all([hooks.getWebhook(call, wanted), webhookHealth({ deliveries }, call, wanted)]);
      return { ...shown(webhook), ...healthOf(webhook.id) };
    },
  }),
  route({
    method: 'patch',
    path: `${base}/:webhookId`,
    summary: `Update a webhook of ${of}`,
    access,
    onInstance,
    body: WebhookUpdateRequest,
    status: 200,
    reply: Webhook,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      const wanted = { ...named(params), id: param(params, 'webhookId') };
      const links = await linksOf(workspaces, body, context);
      const [webhook, healthOf] = await Promise.all([
        hooks.updateWebhook(call, { ...wanted, ...body, ...links }),
        webhookHealth({ deliveries }, call, wanted),
      ]);
      // A change makes it fare anew, but what was skipped can be sent from now on.
      return { ...shown(webhook), skipped: healthOf(webhook.id)?.skipped };
    },
  }),
  route({
    method: 'delete',
    path: `${base}/:webhookId`,
    summary: `Delete a webhook of ${of}`,
    access,
    onInstance,
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) => hooks.deleteWebhook(call, { ...named(params), id: param(params, 'webhookId') }),
  }),
  route({
    method: 'post',
    path: `${base}/:webhookId/test`,
    summary: `Send a sample to a webhook of ${of}`,
    access,
    onInstance,
    body: WebhookTestRequest,
    status: 200,
    reply: WebhookTestResult,
    errors: [400, 401, 403, 404, 429],
    // A subscriber may take longer to answer than a request may otherwise take.
    handle: async ({ streamCall, params, body: { event, form_id } }) => {
      const { status, error, ...result } = await deliveries.testWebhook(streamCall, {
        ...named(params),
        id: param(params, 'webhookId'),
        event,
        sample_form_id: form_id,
      });
      return { ...result, status: status ?? null, error: error ?? null };
    },
  }),
];

/** Named payloads contain links. */
const linksOf = async (
  workspaces: Services['workspaces'],
  { payload }: { payload?: string | undefined },
  context: Pick<HandlerContext<unknown, unknown>, 'request' | 'gatewayCall'>,
) => (payload === 'named' ? { link_origin: await linkOrigin(workspaces, context) } : {});

const shown = ({ form_id, workspace_id, deactivated, ...webhook }: WebhookMessage) => ({
  ...webhook,
  form_id: form_id === '' ? null : form_id,
  workspace_id: workspace_id ?? null,
  scope: form_id !== '' ? 'form' : workspace_id !== undefined ? 'workspace' : 'instance',
  deactivated: deactivated ?? null,
});
