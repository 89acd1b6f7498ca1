import { Erasure, ErasureList, ErasuresQuery, ErasureStarted, ForeverQuery, ProfileEraseRequest } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { route, type Route } from '../../route';
import { clearSessionCookie } from '../../callers/session-cookie';
import { param, type Services } from '../services';

/** Erasing workspaces, people and submissions for good, and following how far each erasure is. */
export const erasing = ({ forms, workspaces }: Services): Route[] => [
  route({
    method: 'delete',
    path: '/app/v1/me',
    summary: 'Erase yourself for good',
    access: 'session',
    query: ForeverQuery,
    body: ProfileEraseRequest,
    status: 202,
    reply: ErasureStarted,
    errors: [400, 401, 403, 409, 429],
    handle: async ({ call, body, forgetCaller, request, response }) => {
      const started = await workspaces.eraseProfile(call, body);
      forgetCaller();
      clearSessionCookie({ request, response });
      return started;
    },
  }),
  route({
    method: 'delete',
    path: '/app/v1/people/:id',
    summary: 'Erase a person for good',
    access: 'person',
    onInstance: 'erase people',
    query: ForeverQuery,
    status: 202,
    reply: ErasureStarted,
    errors: [400, 401, 403, 404, 409],
    handle: ({ call, params }) => workspaces.erasePerson(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'delete',
    path: '/app/v1/workspaces/:id',
    summary: 'Erase a workspace for good',
    access: 'person',
    query: ForeverQuery,
    status: 202,
    reply: ErasureStarted,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, forgetCaller }) => {
      const id = param(params, 'id');
      const { form_id: held } = await forms.getWorkspaceHold(call, { workspace_id: id });
      if (held !== undefined)
        throw Problem.conflict(`The form ${held} of the workspace is under legal hold, so nothing of it may be erased.`);
      const started = await workspaces.eraseWorkspace(call, { id });
      forgetCaller();
      return started;
    },
  }),
  route({
    method: 'get',
    path: '/app/v1/erasures',
    summary: 'List erasures',
    access: 'person',
    query: ErasuresQuery,
    status: 200,
    reply: ErasureList,
    errors: [400, 401, 403],
    handle: async ({ call, query }) => {
      const { erasures, next_cursor: next } = await workspaces.listErasures(call, query);
      return { data: erasures.map(erasure), next_cursor: next ?? null };
    },
  }),
  route({
    method: 'get',
    path: '/app/v1/erasures/:id',
    summary: 'Get an erasure',
    access: 'person',
    status: 200,
    reply: Erasure,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => erasure(await workspaces.getErasure(call, { id: param(params, 'id') })),
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
