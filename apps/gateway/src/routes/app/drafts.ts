import { Draft, DraftDiscardRequest, DraftRequest, DraftRestoreRequest, DraftTrial, DraftTrialRequest } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

const base = '/app/v1';

/** The unpublished content of forms. */
export const drafts = ({ forms, submissions }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/forms/:id/draft`,
    summary: 'Get the draft of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: Draft,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => withFields(await forms.getDraft(call, { id: param(params, 'id') })),
  }),
  route({
    method: 'put',
    path: `${base}/forms/:id/draft`,
    summary: 'Save the draft of a form',
    access: { scope: 'forms:write' },
    body: DraftRequest,
    status: 200,
    reply: Draft,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body }) =>
      withFields(
        await forms.putDraft(call, {
          id: param(params, 'id'),
          fields: Buffer.from(JSON.stringify(body.fields)),
          payment: body.payment,
          revision: body.revision,
        }),
      ),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/draft/try`,
    summary: 'Try the draft of a form with answers',
    access: { scope: 'forms:read' },
    body: DraftTrialRequest,
    status: 200,
    reply: DraftTrial,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) => {
      const data = Buffer.from(JSON.stringify(body.data));
      const { faults, visible } = await submissions.tryDraft(call, { form_id: param(params, 'id'), data });
      const found = JSON.parse(faults.toString()) as unknown[];
      return { valid: found.length === 0, faults: found, visible };
    },
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/draft/restore`,
    summary: 'Restore a version into the draft of a form',
    access: { scope: 'forms:write' },
    body: DraftRestoreRequest,
    status: 200,
    reply: Draft,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body }) => withFields(await forms.restoreDraft(call, { id: param(params, 'id'), ...body })),
  }),
  route({
    method: 'post',
    path: `${base}/forms/:id/draft/discard`,
    summary: 'Discard the unpublished changes of a form',
    access: { scope: 'forms:write' },
    body: DraftDiscardRequest,
    status: 200,
    reply: Draft,
    errors: [400, 401, 403, 404, 409],
    handle: async ({ call, params, body }) => withFields(await forms.discardDraft(call, { id: param(params, 'id'), ...body })),
  }),
];

const withFields = <D extends { fields: Buffer; payment: object | null }>(draft: D) => ({
  ...draft,
  fields: RawJson.of(draft.fields),
  payment: draft.payment ?? undefined,
});
