import {
  FormCreateRequest,
  FormDetail,
  FormFields,
  FormList,
  FormsQuery,
  FormUpdateRequest,
  HookSubscribeRequest,
  HookSubscription,
  listSubmissions,
  PublishResponse,
} from '@sheaf/contracts';
import { refuseOwnOrigin } from '../origins/own-origin';
import { route, type Route } from '../route';
import { asking, rowOf } from './derived';
import { pageBytes, submissionPage } from './submission-page';
import { asPatch, pageOf, param, type Services } from './services';

const base = '/api/v1';
const submissionsRequest = asking(listSubmissions);

/** The operations of the v1 contract, section 4. */
export const v1 = ({ workspaces, forms, submissions, hooks }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/forms`,
    summary: 'List forms',
    access: { scope: 'forms:read' },
    query: FormsQuery,
    status: 200,
    reply: FormList,
    errors: [401],
    handle: async ({ call, query }) => {
      const page = await forms.listForms(call, query);
      return pageOf(page.forms, page.total, query);
    },
  }),
  route({
    method: 'post',
    path: `${base}/forms`,
    summary: 'Create a form',
    access: { scope: 'forms:write' },
    body: FormCreateRequest,
    status: 201,
    reply: FormDetail,
    errors: [400, 401, 403],
    handle: ({ call, body }) => forms.createForm(call, body),
  }),
  route({
    method: 'get',
    path: `${base}/forms/:id`,
    summary: 'Get a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormDetail,
    errors: [401, 403, 404],
    handle: ({ call, params }) => forms.getForm(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'patch',
    path: `${base}/forms/:id`,
    summary: 'Update a form',
    access: { scope: 'forms:write' },
    body: FormUpdateRequest,
    status: 200,
    reply: FormDetail,
    errors: [400, 401, 403, 404],
    handle: ({ call, params, body }) => forms.updateForm(call, { id: param(params, 'id'), ...asPatch(body) }),
  }),
  route({
    method: 'delete',
    path: `${base}/forms/:id`,
    summary: 'Move a form to the trash',
    access: { scope: 'forms:write' },
    status: 204,
    errors: [401, 403, 404],
    handle: ({ call, params }) => forms.trashForm(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'get',
    path: `${base}/forms/:id/fields`,
    summary: 'Get the fields of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormFields,
    errors: [401, 403, 404],
    handle: ({ call, params }) => forms.listFields(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/duplicate`,
    summary: 'Duplicate a form',
    access: { scope: 'forms:write' },
    status: 201,
    reply: FormDetail,
    errors: [401, 403, 404],
    handle: ({ call, params }) => forms.duplicateForm(call, { id: param(params, 'id') }),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/publish`,
    summary: 'Publish a form',
    access: { scope: 'forms:write' },
    status: 200,
    reply: PublishResponse,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => forms.publishForm(call, { id: param(params, 'id') }),
  }),

  route({
    ...rowOf(listSubmissions),
    handle: async ({ call, params, query }) => {
      const page = await submissions.listSubmissions(call, submissionsRequest({ params, query }, { as_json: true, max_bytes: pageBytes }));
      return submissionPage({ submissions }, page, {
        formId: param(params, 'id'),
        envelope: (data) => pageOf(data, page.total, query),
      });
    },
  }),

  route({
    method: 'post',
    path: `${base}/hooks/subscribe`,
    summary: 'Subscribe to an event of a form',
    access: { scope: 'hooks:manage' },
    body: HookSubscribeRequest,
    status: 201,
    reply: HookSubscription,
    errors: [400, 401, 403, 404],
    handle: async ({ call, body, ...context }) => {
      await refuseOwnOrigin(workspaces, context, body.target_url);
      return hooks.subscribe(call, body);
    },
  }),
  route({
    method: 'delete',
    path: `${base}/hooks/:id`,
    summary: 'Delete a subscription',
    access: { scope: 'hooks:manage' },
    status: 204,
    errors: [400, 401, 403, 404],
    handle: ({ call, params }) => hooks.unsubscribe(call, { id: param(params, 'id') }),
  }),
];
