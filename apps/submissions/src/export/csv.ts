import { stringify, type Options } from 'csv-stringify/sync';
import type { Cell, Table } from './table';
import type { ExportedRow } from './batches.queries';

const options: Options = {
  record_delimiter: 'windows',
  // Text that a spreadsheet would read as a formula is prefixed with an apostrophe (OWASP, CSV injection); numbers are unchanged.
  escape_formulas: true,
  // In addition to RFC 4180, quote characters that other readers take for the end of a line or cell.
  quoted_match: /[\r\n\t;|]/,
  cast: { boolean: String },
};

/** RFC 4180 in UTF-8. The byte order mark tells Excel the encoding. */
export async function* csv({ header, rowOf }: Table, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${lines([[...header]])}`);
  for await (const batch of batches) yield Buffer.from(lines(batch.map(rowOf)));
}

const lines = (rows: Cell[][]): string => stringify(rows, options);
