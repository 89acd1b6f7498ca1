import {
  columnOf,
  createFormExport,
  downloadFormExport,
  exportFormats,
  exportSubmissions,
  FormExport,
  type ExportFact,
  type ExportQuery,
} from '@sheaf/contracts';
import type { z } from 'zod';
import { route, type HandlerContext, type Route } from '../../route';
import { Streamed } from '../../http/streamed';
import { linkOrigin } from '../../origins/link-origin';
import { rowOf, showing } from '../derived';
import { sent } from '../files';
import { param, type Services } from '../services';
import { whileReadable } from '../while-readable';
import { namesOf } from './names';

const withCharset = {
  csv: `${exportFormats.csv}; charset=utf-8`,
  xlsx: exportFormats.xlsx,
  ndjson: exportFormats.ndjson,
  zip: exportFormats.zip,
};

const formats = {
  [exportFormats.csv]: {
    description:
      'Comma-separated values in UTF-8 with CRLF, and with a byte order mark unless it is not wanted. Text that a spreadsheet would read as a formula is prefixed with an apostrophe.',
    schema: { type: 'string' },
  },
  [exportFormats.xlsx]: {
    description:
      'An Excel workbook: the submissions on as many sheets as they need, and a last sheet about the file. It is complete if it can be opened. The sheet tells what the format could not hold.',
  },
  [exportFormats.ndjson]: {
    description: 'One submission per line, in the format of v1.',
    schema: { type: 'string' },
  },
  [exportFormats.zip]: {
    description:
      'The files that the answers name, as they were uploaded: `files/` with a folder for each submission, named after its day and reference, and `index.csv`, which tells of each file which submission and question it belongs to, and why it is not there if it is missing. An archive has at most 50,000 files. It is complete if it can be opened.',
  },
};

const shown = showing(FormExport);

export const exports = (services: Services): Route[] => [
  route({
    ...rowOf(exportSubmissions),
    stream: formats,
    handle: async (context) => {
      const { streamCall, query, request } = context;
      const { wanted, name } = await wantedFile(services, context);
      const chunks = bytesOf(services.submissions.exportSubmissions(streamCall, { ...wanted, head: request.method === 'HEAD' }));
      const reading = { ...context, forms: services.forms, access: exportSubmissions.access, formId: wanted.form_id };
      return new Streamed({ contentType: withCharset[query.format], filename: name }, whileReadable(chunks, reading));
    },
  }),
  route({
    ...rowOf(createFormExport),
    handle: async (context) => shown(await services.submissions.startExport(context.call, await wantedFile(services, context))),
  }),
  route({
    ...rowOf(downloadFormExport),
    stream: formats,
    handle: async (context) => {
      const { call, streamCall, params, request } = context;
      const formId = param(params, 'id');
      const head = request.method === 'HEAD';
      const file = services.submissions.readExport(streamCall, { form_id: formId, id: param(params, 'exportId'), head });
      const reading = { ...context, forms: services.forms, access: downloadFormExport.access, formId };
      return sent(call, file, (chunks) => whileReadable(chunks, reading));
    },
  }),
];

/** The file that the parameters ask for, and its name. */
async function wantedFile(
  { forms, workspaces }: Pick<Services, 'forms' | 'workspaces'>,
  context: HandlerContext<z.output<typeof ExportQuery>, unknown>,
) {
  const { call, params, query, caller } = context;
  const { status: statuses = [], filter: filters = [], labels = query.language !== undefined, columns: named = [], ...rest } = query;
  const columns = named.map(columnOf);
  const form = await forms.getForm(call, { id: param(params, 'id') });
  // For the file to tell who made it, and to lead back here.
  const told =
    query.language === undefined
      ? {}
      : {
          origin: await linkOrigin(workspaces, context),
          exported_by: caller.kind === 'user' ? (await workspaces.getMe(call, {})).name : undefined,
          people: columns.some(({ id }) => namesPeople.has(id)) ? await namesOf({ forms, workspaces }, form.id, context) : {},
        };
  const contents = query.format === 'zip' ? 'files' : 'submissions';
  return {
    wanted: { ...rest, ...told, statuses, filters, labels, columns, form_id: form.id, head: false },
    name: `${form.slug ?? form.id}-${contents}-${new Date().toISOString().slice(0, 10)}.${query.format}`,
  };
}

/** The columns with people in them. */
const namesPeople: ReadonlySet<string> = new Set<ExportFact>(['assignee', 'entered_by']);

async function* bytesOf(chunks: AsyncIterable<{ data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) yield data;
}
