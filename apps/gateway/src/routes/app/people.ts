import { AddedMember, CreatedServiceAccount, MemberRequest, ServiceAccountList, ServiceAccountRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { linkOrigin } from '../../origins/link-origin';
import { invitationUrl } from './invitations';
import { param, wholeList, type Services } from '../services';

const base = '/app/v1';

/** Service accounts and memberships. */
export const people = ({ workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/service-accounts`,
    summary: 'List service accounts',
    access: 'person',
    onInstance: 'manage service accounts',
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
    onInstance: 'manage service accounts',
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
    onInstance: 'manage service accounts',
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) => workspaces.deleteServiceAccount(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'post',
    path: `${base}/workspaces/:id/members`,
    summary: 'Add a member to a workspace',
    access: 'session',
    body: MemberRequest,
    status: 201,
    reply: AddedMember,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body, ...context }) => {
      // First, because the token is shown only once.
      const origin = await linkOrigin(workspaces, context);
      const { member, invitation_token, invitation } = await workspaces.addMember(call, { workspace_id: param(params, 'id'), ...body });
      return {
        ...member,
        invitation,
        invitation_url: invitation_token === undefined ? undefined : invitationUrl(origin, invitation_token),
      };
    },
  }),
  route({
    method: 'delete',
    path: `${base}/workspaces/:id/members/:userId`,
    summary: 'Remove a member from a workspace',
    access: 'session',
    status: 204,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => workspaces.removeMember(call, { workspace_id: param(params, 'id'), user_id: param(params, 'userId') }),
  }),
];
