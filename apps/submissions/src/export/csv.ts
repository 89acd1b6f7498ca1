import { stringify, type Options } from 'csv-stringify/sync';
import type { Cell, Table } from './table';
import type { ExportedRow } from './batches.queries';

/** A spreadsheet may read it as a number, but as nothing that does anything. */
const phoneNumber = /^\+ ?\(?\d(?:[ ()./-]{0,2}\d){4,19}$/;

const options: Options = {
  record_delimiter: 'windows',
  // Text that a spreadsheet would read as a formula is prefixed with an apostrophe (OWASP, CSV injection); numbers are unchanged.
  escape_formulas: true,
  // In addition to RFC 4180, quote characters that other readers take for the end of a line or cell.
  quoted_match: /[\r\n\t;|]/,
  cast: { boolean: String, string: (value) => (phoneNumber.test(value) ? { value, escape_formulas: false } : value) },
};

/** RFC 4180 in UTF-8. The byte order mark tells Excel the encoding. */
export async function* csv({ header, rowOf }: Table, batches: AsyncIterable<ExportedRow[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${lines([[...header]])}`);
  for await (const batch of batches) yield Buffer.from(lines(batch.map(rowOf)));
}

const lines = (rows: Cell[][]): string => stringify(rows, options);
