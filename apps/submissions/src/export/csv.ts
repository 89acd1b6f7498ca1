import type { CsvDelimiter } from '@sheaf/contracts';
import { stringify, type Options } from 'csv-stringify/sync';
import { Dated } from './dated';
import { Linked, type Cell, type Table, type TableRow } from './table';

/** A spreadsheet may read it as a number, but as nothing that does anything. */
const phoneNumber = /^\+ ?\(?\d(?:[ ()./-]{0,2}\d){4,19}$/;

const options: Options = {
  record_delimiter: 'windows',
  // Text that a spreadsheet would read as a formula is prefixed with an apostrophe (OWASP, CSV injection); numbers are unchanged.
  escape_formulas: true,
  // In addition to RFC 4180, quote characters that other readers take for the end of a line or cell.
  quoted_match: /[\r\n\t;|]/,
  cast: {
    boolean: String,
    string: (value) => (phoneNumber.test(value) ? { value, escape_formulas: false } : value),
  },
};

/** The text between cells. Excel expects a semicolon in countries whose decimals have a comma. */
const delimiters: Readonly<Record<CsvDelimiter, string>> = { comma: ',', semicolon: ';', tab: '\t' };

export interface CsvForm {
  delimiter?: CsvDelimiter | undefined;
  /** Whether the file begins with the byte order mark, which tells Excel the encoding and which some programs take for a part of the first heading. */
  hasMark?: boolean | undefined;
}

/** RFC 4180 in UTF-8. */
export async function* csv(
  { header, rowOf }: Table,
  batches: AsyncIterable<TableRow[]>,
  { delimiter = 'comma', hasMark = true }: CsvForm = {},
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${hasMark ? byteOrderMark : ''}${linesOf([header], delimiter)}`);
  for await (const batch of batches) yield Buffer.from(linesOf(batch.map(rowOf), delimiter));
}

export const byteOrderMark = '\uFEFF';

export const linesOf = (rows: readonly (readonly Cell[])[], delimiter: CsvDelimiter = 'comma'): string =>
  stringify(
    rows.map((cells) => cells.map(plain)),
    { ...options, delimiter: delimiters[delimiter] },
  );

const plain = (cell: Cell): string | number | boolean | undefined => (cell instanceof Dated || cell instanceof Linked ? cell.text : cell);
