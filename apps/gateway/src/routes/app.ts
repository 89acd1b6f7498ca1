import {
  AddedMember,
  ApiKeyList,
  ApiKeyRequest,
  CreatedApiKey,
  CreatedServiceAccount,
  DeliveriesQuery,
  DeliveryDetail,
  DeliveryList,
  Draft,
  DraftRequest,
  InvitationRequest,
  MemberRequest,
  ServiceAccountList,
  ServiceAccountRequest,
  SessionState,
  SignedIn,
  SignInRequest,
} from '@sheaf/contracts';
import { RawJson } from '../json';
import { route, type Route } from '../route';
import { pageOf, param, wholeList, type Services } from './services';

const base = '/app/v1';

/** The application's own interface: what people need around the v1 contract. */
export const app = ({ workspaces, forms, deliveries }: Services): Route[] => [
  route({
    method: 'post', path: `${base}/sessions`, access: 'anyone', body: SignInRequest, status: 201, reply: SignedIn,
    handle: async ({ ownCall, instanceId, body }) => whole(await workspaces.signIn(ownCall, { instance_id: instanceId, ...body })),
  }),
  route({
    method: 'get', path: `${base}/sessions/current`, access: 'session', status: 200, reply: SessionState,
    handle: async ({ call }) => whole(await workspaces.getSession(call, {})),
  }),
  route({
    method: 'delete', path: `${base}/sessions/current`, access: 'session', status: 204,
    handle: ({ call }) => workspaces.endSession(call, {}),
  }),
  route({
    method: 'post', path: `${base}/invitations/:token`, access: 'anyone', body: InvitationRequest, status: 201, reply: SignedIn,
    handle: async ({ ownCall, instanceId, params, body }) =>
      whole(await workspaces.acceptInvitation(ownCall, { instance_id: instanceId, token: param(params, 'token'), ...body })),
  }),

  route({
    method: 'get', path: `${base}/api-keys`, access: 'person', status: 200, reply: ApiKeyList,
    handle: async ({ call }) => wholeList((await workspaces.listApiKeys(call, {})).api_keys),
  }),
  route({
    method: 'post', path: `${base}/api-keys`, access: 'session', body: ApiKeyRequest, status: 201, reply: CreatedApiKey,
    handle: ({ call, body }) => workspaces.createApiKey(call, body),
  }),
  route({
    method: 'delete', path: `${base}/api-keys/:id`, access: 'session', status: 204,
    handle: ({ call, params }) => workspaces.revokeApiKey(call, { id: param(params, 'id') }),
  }),

  route({
    method: 'get', path: `${base}/service-accounts`, access: 'person', status: 200, reply: ServiceAccountList,
    handle: async ({ call }) => wholeList((await workspaces.listServiceAccounts(call, {})).service_accounts),
  }),
  route({
    method: 'post', path: `${base}/service-accounts`, access: 'session', body: ServiceAccountRequest, status: 201, reply: CreatedServiceAccount,
    handle: ({ call, body }) => workspaces.createServiceAccount(call, body),
  }),
  route({
    method: 'delete', path: `${base}/service-accounts/:id`, access: 'session', status: 204,
    handle: ({ call, params }) => workspaces.deleteServiceAccount(call, { id: param(params, 'id') }),
  }),

  route({
    method: 'post', path: `${base}/workspaces/:id/members`, access: 'person', body: MemberRequest, status: 201, reply: AddedMember,
    handle: async ({ call, params, body, request }) => {
      const { member, invitation_token } = await workspaces.addMember(call, { workspace_id: param(params, 'id'), ...body });
      const origin = `${request.protocol}://${request.headers.host ?? ''}`;
      return { ...member, invitation_url: invitation_token === undefined ? undefined : `${origin}/invitations/${invitation_token}` };
    },
  }),

  route({
    method: 'get', path: `${base}/forms/:id/draft`, access: { scope: 'forms:read' }, status: 200, reply: Draft,
    handle: async ({ call, params }) => withFields(await forms.getDraft(call, { id: param(params, 'id') })),
  }),
  route({
    method: 'put', path: `${base}/forms/:id/draft`, access: { scope: 'forms:write' }, body: DraftRequest, status: 200, reply: Draft,
    handle: async ({ call, params, body }) =>
      withFields(await forms.putDraft(call, { id: param(params, 'id'), fields: Buffer.from(JSON.stringify(body.fields)), revision: body.revision })),
  }),

  route({
    method: 'get', path: `${base}/forms/:id/deliveries`, access: { scope: 'hooks:manage' }, query: DeliveriesQuery, status: 200, reply: DeliveryList,
    handle: async ({ call, params, query }) => {
      const page = await deliveries.listDeliveries(call, { form_id: param(params, 'id'), ...query });
      return pageOf(page.deliveries.map(({ attempts: _, ...delivery }) => delivery), page.total, query);
    },
  }),
  route({
    method: 'get', path: `${base}/forms/:id/deliveries/:deliveryId`, access: { scope: 'hooks:manage' }, status: 200, reply: DeliveryDetail,
    handle: async ({ call, params }) => {
      const { body, ...delivery } = await deliveries.getDelivery(call, { form_id: param(params, 'id'), id: param(params, 'deliveryId') });
      return { ...delivery, body: body?.toString() ?? '' };
    },
  }),
];

const withFields = <D extends { fields: Buffer }>(draft: D) => ({ ...draft, fields: RawJson.of(draft.fields) });

/** proto-loader gives null for a message that was not set; our answers leave out what is not there. */
const whole = <S extends { workspace?: unknown }>(session: S) => ({ ...session, workspace: session.workspace ?? undefined });
