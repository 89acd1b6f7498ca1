import {
  AddedMember,
  ApiKeyList,
  ApiKeyRequest,
  CreatedApiKey,
  CreatedServiceAccount,
  InvitationRequest,
  MemberRequest,
  ServiceAccountList,
  ServiceAccountRequest,
  SessionState,
  SignedIn,
  SignInRequest,
} from '@sheaf/contracts';
import { route, type HandlerContext, type Route } from '../../route';
import { setSessionCookie, refuseCrossOrigin, clearSessionCookie } from '../../session-cookie';
import { param, wholeList, type Services } from '../services';

const base = '/app/v1';

/** Sessions, invitations, API keys, service accounts and memberships. */
export const people = ({ workspaces }: Services): Route[] => [
  route({
    method: 'post',
    path: `${base}/sessions`,
    summary: 'Sign in',
    access: 'anyone',
    body: SignInRequest,
    status: 201,
    reply: SignedIn,
    errors: [400, 401, 403, 429],
    handle: async (context) => {
      const { email = '', password = '', link } = context.body;
      const [call, instance_id] = [context.gatewayCall(), context.instanceId];
      return signedIn(context, () =>
        link === undefined
          ? workspaces.signIn(call, { instance_id, email, password })
          : workspaces.signInWithLink(call, { instance_id, token: link }),
      );
    },
  }),
  route({
    method: 'get',
    path: `${base}/sessions/current`,
    summary: 'Get the current session',
    access: 'session',
    status: 200,
    reply: SessionState,
    errors: [401, 403],
    handle: async ({ call }) => sessionOf(await workspaces.getSession(call, {})),
  }),
  route({
    method: 'delete',
    path: `${base}/sessions/current`,
    summary: 'Sign out',
    access: 'session',
    status: 204,
    errors: [401, 403],
    handle: async ({ call, request, response }) => {
      await workspaces.endSession(call, {});
      clearSessionCookie({ request, response });
    },
  }),
  route({
    method: 'post',
    path: `${base}/invitations/:token`,
    summary: 'Accept an invitation',
    access: 'anyone',
    body: InvitationRequest,
    status: 201,
    reply: SignedIn,
    errors: [400, 403, 404],
    handle: async (context) => {
      const { name, password } = context.body;
      return signedIn(context, () =>
        workspaces.acceptInvitation(context.gatewayCall(), {
          instance_id: context.instanceId,
          token: param(context.params, 'token'),
          name,
          password,
        }),
      );
    },
  }),
  route({
    method: 'get',
    path: `${base}/api-keys`,
    summary: 'List API keys',
    access: 'person',
    status: 200,
    reply: ApiKeyList,
    errors: [401, 403],
    handle: async ({ call }) => wholeList((await workspaces.listApiKeys(call, {})).api_keys),
  }),
  route({
    method: 'post',
    path: `${base}/api-keys`,
    summary: 'Create an API key',
    access: 'session',
    body: ApiKeyRequest,
    status: 201,
    reply: CreatedApiKey,
    errors: [400, 401, 403],
    handle: ({ call, body }) => workspaces.createApiKey(call, body),
  }),
  route({
    method: 'delete',
    path: `${base}/api-keys/:id`,
    summary: 'Revoke an API key',
    access: 'session',
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) => workspaces.revokeApiKey(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'get',
    path: `${base}/service-accounts`,
    summary: 'List service accounts',
    access: 'person',
    status: 200,
    reply: ServiceAccountList,
    errors: [401, 403],
    handle: async ({ call }) => wholeList((await workspaces.listServiceAccounts(call, {})).service_accounts),
  }),
  route({
    method: 'post',
    path: `${base}/service-accounts`,
    summary: 'Create a service account',
    access: 'session',
    body: ServiceAccountRequest,
    status: 201,
    reply: CreatedServiceAccount,
    errors: [400, 401, 403],
    handle: ({ call, body }) => workspaces.createServiceAccount(call, body),
  }),
  route({
    method: 'delete',
    path: `${base}/service-accounts/:id`,
    summary: 'Delete a service account',
    access: 'session',
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) => workspaces.deleteServiceAccount(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'post',
    path: `${base}/workspaces/:id/members`,
    summary: 'Add a member to a workspace',
    access: 'person',
    body: MemberRequest,
    status: 201,
    reply: AddedMember,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, request }) => {
      const { member, invitation_token, invitation } = await workspaces.addMember(call, { workspace_id: param(params, 'id'), ...body });
      const origin = `${request.protocol}://${request.headers.host ?? ''}`;
      return {
        ...member,
        invitation,
        invitation_url: invitation_token === undefined ? undefined : `${origin}/invitations/${invitation_token}`,
      };
    },
  }),
  route({
    method: 'delete',
    path: `${base}/workspaces/:id/members/:userId`,
    summary: 'Remove a member from a workspace',
    access: 'person',
    status: 204,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => workspaces.removeMember(call, { workspace_id: param(params, 'id'), user_id: param(params, 'userId') }),
  }),
];

/** proto-loader sets an unset message to null; our responses omit absent properties. */
const sessionOf = <S extends { workspace?: unknown }>(session: S) => ({ ...session, workspace: session.workspace ?? undefined });

/** Opens a session and returns it as a token, or as a cookie if the request asks for one. Never as both. */
async function signedIn<S extends { token: string; expires_at: string; workspace?: unknown }>(
  { body, request, response }: Pick<HandlerContext<unknown, { cookie?: boolean | undefined }>, 'body' | 'request' | 'response'>,
  open: () => Promise<S>,
): Promise<object> {
  if (body.cookie !== true) return sessionOf(await open());
  refuseCrossOrigin(request);
  const { token, ...session } = await open();
  setSessionCookie({ request, response }, { token, expires_at: session.expires_at });
  return sessionOf(session);
}
