import { FileImportQuery, FormDocument, FormImportRequest, ImportedForm, xlsxType } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { z } from 'zod';
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
    summary: 'Import a form from a document or an XLSForm',
    access: { scope: 'forms:write' },
    query: FileImportQuery,
    body: FormImportRequest,
    fileBody: xlsxType,
    status: 201,
    reply: ImportedForm,
    errors: [400, 401, 403],
    endsWithClient: true,
    handle: async ({ call, query, body, bytes }) => {
      if (bytes.length > 0) return fromFile(forms, call, query, bytes);
      const [misplaced] = Object.keys(query);
      if (misplaced !== undefined) throw Problem.badRequest(`${misplaced}: belongs in the body`);
      const { document, ...place } = body;
      return forms.importForm(call, { ...place, document: Buffer.from(JSON.stringify(document)) });
    },
  }),
];

async function fromFile({ importXlsForm }: Services['forms'], call: Call, place: z.output<typeof FileImportQuery>, file: Buffer) {
  const { workspace_id: workspaceId } = place;
  if (workspaceId === undefined) throw Problem.badRequest('workspace_id: is required');
  const { form, warnings } = await importXlsForm(call, { ...place, workspace_id: workspaceId, file });
  if (!form) throw Problem.internal('forms sent no imported form');
  return { ...form, warnings };
}
