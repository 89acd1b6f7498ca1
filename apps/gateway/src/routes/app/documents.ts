import { FormDocument, FormImportRequest, FormSummary } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

/** Forms as documents, out and in. */
export const documents = ({ forms }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms/:id/document',
    summary: 'Get a form as a document',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormDocument,
    errors: [401, 403, 404],
    handle: async ({ call, params }) =>
      JSON.parse((await forms.getFormDocument(call, { id: param(params, 'id') })).document.toString()) as unknown,
  }),
  route({
    method: 'post',
    path: '/app/v1/forms/import',
    summary: 'Import a form from a document',
    access: { scope: 'forms:write' },
    body: FormImportRequest,
    status: 201,
    reply: FormSummary,
    errors: [400, 401, 403],
    handle: ({ call, body: { document, ...place } }) =>
      forms.importForm(call, { ...place, document: Buffer.from(JSON.stringify(document)) }),
  }),
];
