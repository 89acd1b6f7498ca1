import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Cell, Table } from './table';
import type { ExportedRow } from './batches.queries';

/** Maximum rows of a sheet, including its header. */
const maxSheetRows = 1_048_576;
/** The columns of a sheet; readers refuse a file with more. */
export const maxColumns = 16_384;
/** Rows rendered into one string. Larger strings outlive the young generation and stay in memory until the next full collection. */
const rowsPerChunk = 50;
/** Maximum length of a cell's text; Excel reports a file with a longer one as corrupt. */
const maxTextLength = 32_767;
const truncationMark = '… (truncated; the CSV export has the full text)';

/**
 * A workbook (ECMA-376) with as many sheets as needed. Written by hand into a zip that is compressed as it is read: ExcelJS writes as fast
 * as it is fed, so a slow client would hold the whole workbook in memory. Text cells are typed as text, so no formula is evaluated.
 */
export async function* xlsx(
  table: Table,
  batches: AsyncIterable<ExportedRow[]>,
  { sheetRows = maxSheetRows } = {},
): AsyncGenerator<Buffer> {
  const rows = new Rows(batches[Symbol.asyncIterator]());
  const zip = new ZipFile();
  const packed = zip.outputStream as Readable;
  const names: string[] = [];
  let sheet: Readable | undefined;

  const writeAll = async () => {
    do {
      const name = `sheet${names.length + 1}`;
      names.push(name);
      sheet = Readable.from(sheetOf(table, rows, sheetRows));
      zip.addReadStream(sheet, `xl/worksheets/${name}.xml`, { compressionLevel: 1 });
      await finished(sheet);
    } while (await rows.hasMore());
    for (const [path, content] of Object.entries(packageParts(names))) zip.addBuffer(Buffer.from(declaration + content), path);
    zip.end();
  };
  // An error in a sheet fails the whole file; on its own, the zip would wait for the rest of the sheet.
  zip.on('error', (error: Error) => packed.destroy(error));
  const written = writeAll().catch((error: unknown) => void packed.destroy(error as Error));
  try {
    yield* packed as AsyncIterable<Buffer>;
  } finally {
    sheet?.destroy();
    await written;
  }
}

/** Returns the rows of batches in chunks that fit. */
class Rows {
  private batch: ExportedRow[] = [];

  constructor(private readonly batches: AsyncIterator<ExportedRow[]>) {}

  async hasMore(): Promise<boolean> {
    if (this.batch.length > 0) return true;
    const next = await this.batches.next();
    if (next.done === true) return false;
    this.batch = next.value;
    return true;
  }

  take = (most: number): ExportedRow[] => this.batch.splice(0, most);
}

async function* sheetOf({ header, rowOf }: Table, rows: Rows, sheetRows: number): AsyncGenerator<string> {
  const columns = header.map((_, index) => columnName(index));
  const print = (cells: readonly Cell[], number: number) =>
    `<row r="${number}">${cells.map((cell, index) => printCell(cell, `${columns[index] ?? ''}${number}`)).join('')}</row>`;

  // Freeze the header row.
  yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>${print(header, 1)}`;
  let written = 1;
  while (written < sheetRows && (await rows.hasMore())) {
    yield rows
      .take(Math.min(rowsPerChunk, sheetRows - written))
      .map((row) => print(rowOf(row), (written += 1)))
      .join('');
  }
  yield '</sheetData></worksheet>';
}

/** `0` is A, `25` Z, `26` AA. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

function printCell(cell: Cell, at: string): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  // Inline: the usual table of shared strings would have to stay in memory until the end.
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${printText(cell)}</t></is></c>`;
}

const printText = (text: string): string => {
  const fitting =
    text.length <= maxTextLength ? text : text.slice(0, maxTextLength - truncationMark.length).toWellFormed() + truncationMark;
  return fitting.replace(special, (found) => escapes[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
};

// Characters that XML cannot represent are written as _xHHHH_ (ECMA-376, 22.9.2.19). Text that already looks like this gets its underscore
// escaped.
// eslint-disable-next-line no-control-regex -- the pattern is about control characters
const special = /[&<>\0-\x08\v\f\r\x0E-\x1F\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/g;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The package parts that turn the sheets into a workbook. */
function packageParts(sheets: readonly string[]): Record<string, string> {
  const each = (print: (name: string, number: number) => string) => sheets.map((name, index) => print(name, index + 1)).join('');
  return {
    'xl/workbook.xml':
      `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>` +
      `${each((_, n) => `<sheet name="Submissions${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      `${each((name, n) => `<Relationship Id="rId${n}" Type="${relationships}/worksheet" Target="worksheets/${name}.xml"/>`)}</Relationships>`,
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      `<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
      `${each((name) => `<Override PartName="/xl/worksheets/${name}.xml" ContentType="${types}.worksheet+xml"/>`)}</Types>`,
  };
}
