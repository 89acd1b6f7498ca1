import {
  CreatedServiceAccountKey,
  MemberRoleRequest,
  OwnWorkspace,
  Profile,
  ProfileUpdateRequest,
  ServiceAccount,
  ServiceAccountKeyRequest,
  ServiceAccountUpdateRequest,
  WorkspaceCreateRequest,
  WorkspaceMember,
  WorkspaceUpdateRequest,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { deviceCookie } from '../../callers/device-cookie';
import { route, type Route } from '../../route';
import { asPatch, param, type Services } from '../services';

const base = '/app/v1';

/** Profiles, workspaces, roles of members, and service accounts. */
export const account = ({ workspaces }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/me`,
    summary: 'Get your profile',
    access: 'session',
    status: 200,
    reply: Profile,
    errors: [401, 403],
    handle: ({ call }) => workspaces.getProfile(call, {}),
  }),
  route({
    method: 'patch',
    path: `${base}/me`,
    summary: 'Update your profile',
    access: 'session',
    body: ProfileUpdateRequest,
    status: 200,
    reply: Profile,
    errors: [400, 401, 403, 429],
    handle: async ({ call, body, request, forgetCaller }) => {
      const profile = await workspaces.updateProfile(call, { ...asPatch(body), device: deviceCookie(request) });
      forgetCaller();
      return profile;
    },
  }),
  route({
    method: 'post',
    path: `${base}/workspaces`,
    summary: 'Create a workspace',
    access: 'person',
    onInstance: 'create workspaces',
    body: WorkspaceCreateRequest,
    status: 201,
    reply: OwnWorkspace,
    errors: [400, 401, 403],
    handle: async ({ call, body, forgetCaller }) => {
      const created = await workspaces.createWorkspace(call, body);
      forgetCaller();
      return withSlug(created);
    },
  }),
  route({
    method: 'patch',
    path: `${base}/workspaces/:id`,
    summary: 'Update a workspace',
    access: 'person',
    body: WorkspaceUpdateRequest,
    status: 200,
    reply: OwnWorkspace,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) =>
      withSlug(await workspaces.updateWorkspace(call, { id: param(params, 'id'), ...asPatch(body) })),
  }),
  route({
    method: 'patch',
    path: `${base}/workspaces/:id/members/:userId`,
    summary: 'Change the role of a workspace member',
    access: 'session',
    body: MemberRoleRequest,
    status: 200,
    reply: WorkspaceMember,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) =>
      workspaces.changeMemberRole(call, { workspace_id: param(params, 'id'), user_id: param(params, 'userId'), ...body }),
  }),
  route({
    method: 'patch',
    path: `${base}/service-accounts/:id`,
    summary: 'Update a service account',
    access: 'session',
    onInstance: 'manage service accounts',
    body: ServiceAccountUpdateRequest,
    status: 200,
    reply: ServiceAccount,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) => workspaces.updateServiceAccount(call, { id: param(params, 'id'), ...asPatch(body) }),
  }),
  route({
    method: 'post',
    path: `${base}/service-accounts/:id/keys`,
    summary: 'Create a key of a service account',
    access: 'session',
    onInstance: 'manage service accounts',
    body: ServiceAccountKeyRequest,
    status: 201,
    reply: CreatedServiceAccountKey,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) => workspaces.createServiceAccountKey(call, { service_account_id: param(params, 'id'), ...body }),
  }),
  route({
    method: 'delete',
    path: `${base}/service-accounts/:id/keys/:keyId`,
    summary: 'Revoke a key of a service account',
    access: 'session',
    onInstance: 'manage service accounts',
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) =>
      workspaces.revokeServiceAccountKey(call, { service_account_id: param(params, 'id'), id: param(params, 'keyId') }),
  }),
];

function withSlug<W extends object>({ workspace, slug }: { workspace: W | null; slug: string }): W & { slug: string } {
  if (!workspace) throw Problem.internal('the response has no workspace');
  return { ...workspace, slug };
}
