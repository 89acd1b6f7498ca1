import { columnOf, exportFormats, exportSubmissions, type ExportFact } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { Streamed } from '../../http/streamed';
import { linkOrigin } from '../../origins/link-origin';
import { rowOf } from '../derived';
import { param, type Services } from '../services';
import { whileReadable } from '../while-readable';
import { namesOf } from './names';

const withCharset = {
  csv: `${exportFormats.csv}; charset=utf-8`,
  xlsx: exportFormats.xlsx,
  ndjson: exportFormats.ndjson,
  zip: exportFormats.zip,
};

export const exports = ({ forms, submissions, workspaces }: Services): Route[] => [
  route({
    ...rowOf(exportSubmissions),
    stream: {
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
    },
    handle: async (context) => {
      const { call, streamCall, params, query, request, caller } = context;
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
      const wanted = { ...rest, ...told, statuses, filters, labels, columns, form_id: form.id, head: request.method === 'HEAD' };
      const contents = query.format === 'zip' ? 'files' : 'submissions';
      const filename = `${form.slug ?? form.id}-${contents}-${new Date().toISOString().slice(0, 10)}.${query.format}`;
      const chunks = bytesOf(submissions.exportSubmissions(streamCall, wanted));
      const reading = { ...context, forms, access: exportSubmissions.access, formId: form.id };
      return new Streamed({ contentType: withCharset[query.format], filename }, whileReadable(chunks, reading));
    },
  }),
];

/** The columns with people in them. */
const namesPeople: ReadonlySet<string> = new Set<ExportFact>(['assignee', 'entered_by']);

async function* bytesOf(chunks: AsyncIterable<{ data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) yield data;
}
