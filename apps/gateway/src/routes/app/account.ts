import { createWorkspace, updateProfile, updateWorkspace } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { deviceCookie } from '../../callers/device-cookie';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import type { Services } from '../services';

const profileRequest = asking(updateProfile);
const createRequest = asking(createWorkspace);
const updateRequest = asking(updateWorkspace);

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
    ...rowOf(createWorkspace),
    handle: async ({ forgetCaller, ...context }) => {
      const created = await workspaces.createWorkspace(context.call, createRequest(context));
      forgetCaller();
      return withSlug(created);
    },
  }),
  route({
    ...rowOf(updateWorkspace),
    handle: async (context) => withSlug(await workspaces.updateWorkspace(context.call, updateRequest(context))),
  }),
];

function withSlug<W extends object>({ workspace, slug }: { workspace: W | null; slug: string }): W & { slug: string } {
  if (!workspace) throw Problem.internal('the response has no workspace');
  return { ...workspace, slug };
}
