import { OwnWorkspace, updateProfile, WorkspaceCreateRequest, WorkspaceUpdateRequest } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { deviceCookie } from '../../callers/device-cookie';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { asPatch, param, type Services } from '../services';

const base = '/app/v1';

const profileRequest = asking(updateProfile);

/** Profiles and workspaces. */
export const account = ({ workspaces }: Services): Route[] => [
  route({
    ...rowOf(updateProfile),
    handle: async ({ call, body, params, request, forgetCaller }) => {
      const profile = await workspaces.updateProfile(call, profileRequest({ params, body }, { device: deviceCookie(request) }));
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
];

function withSlug<W extends object>({ workspace, slug }: { workspace: W | null; slug: string }): W & { slug: string } {
  if (!workspace) throw Problem.internal('the response has no workspace');
  return { ...workspace, slug };
}
