import { FormDetail, FormGrant, FormGrantList, GrantByEmailRequest, GrantRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, wholeList, type Services } from '../services';

const base = '/app/v1';

/** Operations for owners of a form: restoring it and managing grants. */
export const sharing = ({ forms }: Services): Route[] => [
  route({
    method: 'post',
    path: `${base}/forms/:id/restore`,
    summary: 'Restore a form from the trash',
    access: { scope: 'forms:write' },
    status: 200,
    reply: FormDetail,
    errors: [401, 403, 404],
    handle: ({ call, params }) => forms.restoreForm(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'get',
    path: `${base}/forms/:id/grants`,
    summary: 'List the grants of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormGrantList,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => wholeList((await forms.listGrants(call, { form_id: param(params, 'id') })).grants),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/grants`,
    summary: 'Grant a role on a form to a person by their address',
    access: { scope: 'forms:write' },
    body: GrantByEmailRequest,
    status: 200,
    reply: FormGrant,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) => forms.addGrant(call, { form_id: param(params, 'id'), ...body }),
  }),
  route({
    method: 'put',
    path: `${base}/forms/:id/grants/:userId`,
    summary: 'Grant a role on a form',
    access: { scope: 'forms:write' },
    body: GrantRequest,
    status: 200,
    reply: FormGrant,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) =>
      forms.putGrant(call, { form_id: param(params, 'id'), user_id: param(params, 'userId'), role: body.role }),
  }),
  route({
    method: 'delete',
    path: `${base}/forms/:id/grants/:userId`,
    summary: 'Revoke a role on a form',
    access: { scope: 'forms:write' },
    status: 204,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => forms.removeGrant(call, { form_id: param(params, 'id'), user_id: param(params, 'userId') }),
  }),
];
