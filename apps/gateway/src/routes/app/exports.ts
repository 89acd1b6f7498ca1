import { exportFormats, exportSubmissions } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { Streamed } from '../../http/streamed';
import { rowOf } from '../derived';
import { param, type Services } from '../services';

const withCharset = { csv: `${exportFormats.csv}; charset=utf-8`, xlsx: exportFormats.xlsx, ndjson: exportFormats.ndjson };

export const exports = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(exportSubmissions),
    stream: {
      [exportFormats.csv]: {
        description:
          'Comma-separated values in UTF-8 with a byte order mark and CRLF. Text that a spreadsheet would read as a formula is prefixed with an apostrophe.',
        schema: { type: 'string' },
      },
      [exportFormats.xlsx]: { description: 'An Excel workbook.' },
      [exportFormats.ndjson]: { description: 'One submission per line, in the format of v1.', schema: { type: 'string' } },
    },
    handle: async ({ call, streamCall, params, query: { status: statuses = [], filter: filters = [], ...query }, request }) => {
      const conditions = { ...query, statuses, filters };
      const form = await forms.getForm(call, { id: param(params, 'id') });
      const filename = `${form.slug ?? form.id}-submissions-${new Date().toISOString().slice(0, 10)}.${query.format}`;
      return new Streamed(
        { contentType: withCharset[query.format], filename },
        bytesOf(submissions.exportSubmissions(streamCall, { form_id: form.id, ...conditions, head: request.method === 'HEAD' })),
      );
    },
  }),
];

async function* bytesOf(chunks: AsyncIterable<{ data: Uint8Array }>): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) yield data;
}
