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
    method: 'post', path: `${base}/sessions`, summary: 'Sign in',
    access: 'anyone', body: SignInRequest, status: 201, reply: SignedIn, errors: [400, 401],
    handle: async ({ ownCall, instanceId, body }) => whole(await workspaces.signIn(ownCall, { instance_id: instanceId, ...body })),
  }),
  route({
    method: 'get', path: `${base}/sessions/current`, summary: 'Get the current session',
    access: 'session', status: 200, reply: SessionState, errors: [401, 403],
    handle: async ({ call }) => whole(await workspaces.getSession(call, {})),
  }),
  route({
    method: 'delete', path: `${base}/sessions/current`, summary: 'Sign out',
    access: 'session', status: 204, errors: [401, 403],
    handle: ({ call }) => workspaces.endSession(call, {}),
  }),
  route({
    method: 'post', path: `${base}/invitations/:token`, summary: 'Accept an invitation',
    access: 'anyone', body: InvitationRequest, status: 201, reply: SignedIn, errors: [400, 404],
    handle: async ({ ownCall, instanceId, params, body }) =>
      whole(await workspaces.acceptInvitation(ownCall, { instance_id: instanceId, token: param(params, 'token'), ...body })),
  }),

  route({
    method: 'get', path: `${base}/api-keys`, summary: 'List API keys',
    access: 'person', status: 200, reply: ApiKeyList, errors: [401, 403],
    handle: async ({ call }) => wholeList((await workspaces.listApiKeys(call, {})).api_keys),
  }),
  route({
    method: 'post', path: `${base}/api-keys`, summary: 'Create an API key',
    access: 'session', body: ApiKeyRequest, status: 201, reply: CreatedApiKey, errors: [400, 401, 403],
    handle: ({ call, body }) => workspaces.createApiKey(call, body),
  }),
  route({
    method: 'delete', path: `${base}/api-keys/:id`, summary: 'Revoke an API key',
    access: 'session', status: 204, errors: [401, 403, 404],
    handle: ({ call, params }) => workspaces.revokeApiKey(call, { id: param(params, 'id') }),
  }),

  route({
    method: 'get', path: `${base}/service-accounts`, summary: 'List service accounts',
    access: 'person', status: 200, reply: ServiceAccountList, errors: [401, 403],
    handle: async ({ call }) => wholeList((await workspaces.listServiceAccounts(call, {})).service_accounts),
  }),
  route({
    method: 'post', path: `${base}/service-accounts`, summary: 'Create a service account',
    access: 'session', body: ServiceAccountRequest, status: 201, reply: CreatedServiceAccount, errors: [400, 401, 403],
    handle: ({ call, body }) => workspaces.createServiceAccount(call, body),
  }),
  route({
    method: 'delete', path: `${base}/service-accounts/:id`, summary: 'Delete a service account',
    access: 'session', status: 204, errors: [401, 403, 404],
    handle: ({ call, params }) => workspaces.deleteServiceAccount(call, { id: param(params, 'id') }),
  }),

  route({
    method: 'post', path: `${base}/workspaces/:id/members`, summary: 'Add a member to a workspace',
    access: 'person', body: MemberRequest, status: 201, reply: AddedMember, errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, request }) => {
      const { member, invitation_token } = await workspaces.addMember(call, { workspace_id: param(params, 'id'), ...body });
      const origin = `${request.protocol}://${request.headers.host ?? ''}`;
      return { ...member, invitation_url: invitation_token === undefined ? undefined : `${origin}/invitations/${invitation_token}` };
    },
  }),
  route({
    method: 'delete', path: `${base}/workspaces/:id/members/:userId`, summary: 'Remove a member from a workspace',
    access: 'person', status: 204, errors: [400, 401, 403, 404],
    handle: ({ call, params }) => workspaces.removeMember(call, { workspace_id: param(params, 'id'), user_id: param(params, 'userId') }),
  }),

  route({
    method: 'get', path: `${base}/forms/:id/draft`, summary: 'Get the draft of a form',
    access: { scope: 'forms:read' }, status: 200, reply: Draft, errors: [401, 403, 404],
    handle: async ({ call, params }) => withFields(await forms.getDraft(call, { id: param(params, 'id') })),
  }),
  route({
    method: 'put', path: `${base}/forms/:id/draft`, summary: 'Save the draft of a form',
    access: { scope: 'forms:write' }, body: DraftRequest, status: 200, reply: Draft, errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body }) =>
      withFields(await forms.putDraft(call, { id: param(params, 'id'), fields: Buffer.from(JSON.stringify(body.fields)), revision: body.revision })),
  }),

  route({
    method: 'get', path: `${base}/forms/:id/deliveries`, summary: 'List the deliveries of a form',
    access: { scope: 'hooks:manage' }, query: DeliveriesQuery, status: 200, reply: DeliveryList, errors: [400, 401, 403, 404],
    handle: async ({ call, params, query }) => {
      const page = await deliveries.listDeliveries(call, { form_id: param(params, 'id'), ...query });
      return pageOf(page.deliveries.map(({ attempts: _, ...delivery }) => delivery), page.total, query);
    },
  }),
  route({
    method: 'get', path: `${base}/forms/:id/deliveries/:deliveryId`, summary: 'Get a delivery with its attempts',
    access: { scope: 'hooks:manage' }, status: 200, reply: DeliveryDetail, errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const { body, ...delivery } = await deliveries.getDelivery(call, { form_id: param(params, 'id'), id: param(params, 'deliveryId') });
      return { ...delivery, body: body?.toString() ?? '' };
    },
  }),
];

const withFields = <D extends { fields: Buffer }>(draft: D) => ({ ...draft, fields: RawJson.of(draft.fields) });

/** proto-loader gives null for a message that was not set; our answers leave out what is not there. */
const whole = <S extends { workspace?: unknown }>(session: S) => ({ ...session, workspace: session.workspace ?? undefined });
