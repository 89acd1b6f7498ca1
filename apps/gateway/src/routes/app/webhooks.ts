import * as api from '@sheaf/contracts';
import type { Call } from '@sheaf/rpc';
import type { z } from 'zod';
import { linkOrigin } from '../../origins/link-origin';
import { refuseOwnOrigin } from '../../origins/own-origin';
import { route, type HandlerContext, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { param, wholeList, type Services } from '../services';
import { webhookHealth } from './webhook-health';
import { withHeaders } from './with-headers';

type Params = Readonly<Record<string, string>>;
type WebhookMessage = Awaited<ReturnType<Services['hooks']['getWebhook']>>;

type Taking<Body extends z.ZodObject> = Omit<api.Operation, 'body' | 'patch'> & { body: Body };

/** The forms whose events a webhook receives: its operations, and how messages name them. */
interface Scope {
  list: api.Operation;
  create: Taking<typeof api.WebhookRequest>;
  get: api.Operation;
  update: Taking<typeof api.WebhookUpdateRequest>;
  delete: api.Operation;
  test: Taking<typeof api.WebhookTestRequest>;
  named: (params: Params) => { form_id?: string; workspace_id?: string };
}

const scopes: readonly Scope[] = [
  {
    list: api.listFormWebhooks,
    create: api.createFormWebhook,
    get: api.getFormWebhook,
    update: api.updateFormWebhook,
    delete: api.deleteFormWebhook,
    test: api.testFormWebhook,
    named: (params) => ({ form_id: param(params, 'id') }),
  },
  {
    list: api.listWorkspaceWebhooks,
    create: api.createWorkspaceWebhook,
    get: api.getWorkspaceWebhook,
    update: api.updateWorkspaceWebhook,
    delete: api.deleteWorkspaceWebhook,
    test: api.testWorkspaceWebhook,
    named: (params) => ({ workspace_id: param(params, 'id') }),
  },
  {
    list: api.listInstanceWebhooks,
    create: api.createInstanceWebhook,
    get: api.getInstanceWebhook,
    update: api.updateInstanceWebhook,
    delete: api.deleteInstanceWebhook,
    test: api.testInstanceWebhook,
    named: () => ({}),
  },
];

const ownHooks = asking(api.listOwnHooks);
const listening = asking(api.receiveFormEvents);

export const webhooks = (services: Services): Route[] => [
  ...scopes.flatMap((scope) => webhooksOf(scope, services)),
  route({
    ...rowOf(api.listOwnHooks),
    handle: async ({ call, params, query }) => {
      const { webhooks: found, next_cursor: next } = await services.hooks.listOwnHooks(call, ownHooks({ params, query }));
      return { data: found.map(shown), next_cursor: next ?? null };
    },
  }),
  route({
    ...rowOf(api.receiveFormEvents),
    handle: async ({ call, params, body, ...context }) =>
      services.deliveries.receiveFormEvents(call, listening({ params, body }, await linksOf(services.workspaces, body, context))),
  }),
];

const webhooksOf = ({ named, ...of }: Scope, { hooks, deliveries, workspaces }: Services): Route[] => [
  route({
    ...rowOf(of.list),
    handle: async ({ call, params }) => {
      const [{ webhooks: found }, healthOf] = await Promise.all([
        hooks.listWebhooks(call, named(params)),
        webhookHealth({ deliveries }, call, named(params)),
      ]);
      return wholeList(found.map((webhook) => ({ ...shown(webhook), ...healthOf(webhook.id) })));
    },
  }),
  route({
    ...rowOf(of.create),
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      const { headers, filter, fields, batch, ...wanted } = body;
      const message = { ...named(params), ...wanted, ...(await linksOf(workspaces, body, context)) };
      const options = await sealedOptions(deliveries, call, { headers, filter, fields, batch, ...wanted });
      if (!options) return shown(await hooks.createWebhook(call, message));
      return shownWithSecret(await hooks.createWebhookWithOptions(call, { ...message, ...options.sealed }), options);
    },
  }),
  route({
    ...rowOf(of.get),
    handle: async ({ call, params }) => {
      const wanted = { ...named(params), id: param(params, 'webhookId') };
      const [webhook, healthOf] = await Promise.all([hooks.getWebhook(call, wanted), webhookHealth({ deliveries }, call, wanted)]);
      return { ...shown(webhook), ...healthOf(webhook.id) };
    },
  }),
  route({
    ...rowOf(of.update),
    handle: async ({ call, params, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      const wanted = { ...named(params), id: param(params, 'webhookId') };
      const { headers, filter, fields, batch, ...patch } = body;
      const message = { ...wanted, ...patch, ...(await linksOf(workspaces, body, context)) };
      const options = await sealedOptions(deliveries, call, { headers, filter, fields, batch, ...patch });
      const update = options ? hooks.updateWebhookWithOptions(call, { ...message, ...options.sealed }) : hooks.updateWebhook(call, message);
      const [webhook, healthOf] = await Promise.all([update, webhookHealth({ deliveries }, call, wanted)]);
      // A change makes it fare anew, but what was skipped can be sent from now on.
      return { ...(options ? shownWithSecret(webhook, options) : shown(webhook)), skipped: healthOf(webhook.id)?.skipped };
    },
  }),
  route({
    ...rowOf(of.delete),
    handle: ({ call, params }) => hooks.deleteWebhook(call, { ...named(params), id: param(params, 'webhookId') }),
  }),
  route({
    ...rowOf(of.test),
    handle: async ({ call, params, body: { event, form_id } }) => {
      const { status, error, response, ...result } = await deliveries.testWebhook(patient(call), {
        ...named(params),
        id: param(params, 'webhookId'),
        event,
        sample_form_id: form_id,
      });
      return { ...result, ...(response && { response: withHeaders(response) }), status: status ?? null, error: error ?? null };
    },
  }),
];

/** A subscriber may take longer to answer than a request may otherwise take: as long as `delivery` lets it, which is a minute at most. */
const patient = (call: Call): Call => ({ ...call, deadline: Date.now() + 65_000 });

/** Named payloads contain links. */
const linksOf = async (
  workspaces: Services['workspaces'],
  { payload }: { payload?: string | undefined },
  context: Pick<HandlerContext<unknown, unknown>, 'request' | 'gatewayCall'>,
) => (payload === 'named' ? { link_origin: await linkOrigin(workspaces, context) } : {});

interface Options {
  headers?: z.output<typeof api.WebhookHeaders> | undefined;
  signature?: api.WebhookSignature | undefined;
  new_secret?: boolean | undefined;
  filter?: z.output<typeof api.WebhookFilter> | null | undefined;
  fields?: z.output<typeof api.WebhookFields> | null | undefined;
  batch?: z.output<typeof api.WebhookBatch> | null | undefined;
}

/** The options, secret values as only `delivery` can read them: `hooks`, which keeps them, never sees more. Undefined if the request names none. */
async function sealedOptions(deliveries: Services['deliveries'], call: Call, given: Options) {
  const { headers, signature, new_secret: isNewWanted, filter, fields, batch } = given;
  if ([headers, signature, isNewWanted, filter, fields, batch].every((option) => option === undefined)) return undefined;
  const needsSecret = signature === 'v1' || (isNewWanted === true && signature === undefined);
  const [sealed_headers, made] = await Promise.all([
    headers && sealed(deliveries, call, headers),
    needsSecret ? deliveries.makeSecret(call, {}) : undefined,
  ]);
  const choice = { filter: asJson(filter), fields: asJson(fields), batch: asJson(batch) };
  return { sealed: { sealed_headers, sealed_secret: made?.sealed, ...choice }, secret: made?.secret };
}

const asJson = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
const ofJson = (text: string | undefined): unknown => (text === undefined ? null : JSON.parse(text));

/** The secret is in the answer only if the webhook has it now: it had one already if `signature` changes nothing. */
const shownWithSecret = (webhook: WebhookMessage, { secret }: { secret?: string | undefined }) => ({
  ...shown(webhook),
  ...(webhook.secret_taken ? { secret } : {}),
});

async function sealed(deliveries: Services['deliveries'], call: Call, headers: z.output<typeof api.WebhookHeaders>) {
  const given = headers.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  const { headers: found } = given.length === 0 ? { headers: [] } : await deliveries.sealHeaders(call, { headers: given });
  const sealedOf = new Map(found.map((one) => [one.name, one.sealed]));
  return { headers: headers.map(({ name }) => ({ name, sealed: sealedOf.get(name) })) };
}

const shown = ({
  form_id,
  workspace_id,
  deactivated,
  retry = 'standard',
  header_names: names,
  secret_taken: _,
  signature,
  filter,
  fields,
  batch,
  ...webhook
}: WebhookMessage) => ({
  ...webhook,
  filter: ofJson(filter),
  fields: ofJson(fields),
  batch: ofJson(batch),
  retry,
  // An earlier version of `hooks` tells none.
  signature: signature === 'v1' ? signature : 'v1a',
  headers: names.map((name) => ({ name })),
  form_id: form_id === '' ? null : form_id,
  workspace_id: workspace_id ?? null,
  scope: form_id !== '' ? 'form' : workspace_id !== undefined ? 'workspace' : 'instance',
  deactivated: deactivated ?? null,
});
