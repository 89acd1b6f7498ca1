import { getFormDocument, getFormXlsForm, importForm, xlsxType, type FileImportQuery } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { Streamed } from '../../http/streamed';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import type { Services } from '../services';

const documentRequest = asking(getFormDocument);
const xlsFormRequest = asking(getFormXlsForm);
const importRequest = asking(importForm);

/** Forms as documents, out and in. */
export const documents = ({ forms }: Services): Route[] => [
  route({
    ...rowOf(getFormDocument),
    handle: async ({ call, params }) =>
      JSON.parse((await forms.getFormDocument(call, documentRequest({ params }))).document.toString()) as unknown,
  }),
  route({
    ...rowOf(getFormXlsForm),
    stream: { [xlsxType]: { description: 'An Excel workbook with the sheets survey, choices, settings and left_out.' } },
    handle: async ({ call, params }) => {
      const { name, file } = await forms.getFormXlsForm(call, xlsFormRequest({ params }));
      return new Streamed({ contentType: xlsxType, filename: `${name}.xlsx` }, Readable.from([file]));
    },
  }),
  route({
    ...rowOf(importForm),
    fileBody: xlsxType,
    endsWithClient: true,
    handle: async ({ call, params, query, body, bytes }) => {
      if (bytes.length > 0) return fromFile(forms, call, query, bytes);
      const [misplaced] = Object.keys(query);
      if (misplaced !== undefined) throw Problem.badRequest(`${misplaced}: belongs in the body`);
      return forms.importForm(call, importRequest({ params, body }));
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
