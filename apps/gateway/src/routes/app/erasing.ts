import { eraseProfile, eraseWorkspace, getErasure, listErasures } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { clearSessionCookie } from '../../callers/session-cookie';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';

const profileRequest = asking(eraseProfile);
const workspaceRequest = asking(eraseWorkspace);
const listRequest = asking(listErasures);
const getRequest = asking(getErasure);

/** Erasing workspaces and people for good, and following how far each erasure is. */
export const erasing = ({ forms, workspaces }: Services): Route[] => [
  route({
    ...rowOf(eraseProfile),
    handle: async ({ call, params, body, forgetCaller, request, response }) => {
      const started = await workspaces.eraseProfile(call, profileRequest({ params, body }));
      forgetCaller();
      clearSessionCookie({ request, response });
      return started;
    },
  }),
  route({
    ...rowOf(eraseWorkspace),
    handle: async ({ call, params, forgetCaller }) => {
      const { form_id: held } = await forms.getWorkspaceHold(call, { workspace_id: param(params, 'id') });
      if (held !== undefined)
        throw Problem.conflict(`The form ${held} of the workspace is under legal hold, so nothing of it may be erased.`);
      const started = await workspaces.eraseWorkspace(call, workspaceRequest({ params }));
      forgetCaller();
      return started;
    },
  }),
  route({
    ...rowOf(listErasures),
    handle: async ({ call, params, query }) => {
      const { erasures, next_cursor: next } = await workspaces.listErasures(call, listRequest({ params, query }));
      return { data: erasures.map(erasure), next_cursor: next ?? null };
    },
  }),
  route({
    ...rowOf(getErasure),
    handle: async ({ call, params }) => erasure(await workspaces.getErasure(call, getRequest({ params }))),
  }),
];

type ErasureMessage = Awaited<ReturnType<Services['workspaces']['getErasure']>>;

const erasure = ({ requested_by_kind: kind, requested_by_id: id, services, ...rest }: ErasureMessage) => ({
  ...rest,
  requested_by: { kind, id },
  state: services.every(({ confirmed_at }) => confirmed_at !== undefined) ? 'done' : 'running',
  services: services.map(({ service, confirmed_at, counts }) =>
    confirmed_at === undefined ? { service } : { service, confirmed_at, counts },
  ),
});
