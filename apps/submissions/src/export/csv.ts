import { stringify, type Options } from 'csv-stringify/sync';
import type { Cell, Table } from './table';
import type { ExportedRow } from '../submission/submissions.queries';

const options: Options = {
  record_delimiter: 'windows',
  // A text that a spreadsheet would take for a formula begins with an apostrophe instead (OWASP, CSV injection); numbers stay as they are.
  escape_formulas: true,
  // Beyond what RFC 4180 quotes anyway: what other readers take for the end of a line or of a cell.
  quoted_match: /[\r\n\t;|]/,
  cast: { boolean: String },
};

/** RFC 4180 in UTF-8. The mark at the start is what tells Excel the encoding. */
export async function* csv({ header, rowOf }: Table, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${lines([[...header]])}`);
  for await (const batch of batches) yield Buffer.from(lines(batch.map(rowOf)));
}

const lines = (rows: Cell[][]): string => stringify(rows, options);
