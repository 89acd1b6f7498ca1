import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { lettersOf } from './workbook';
import { declaration, packageParts, sheetNamespace, styleOf, textCell } from './workbook-parts';

/** Maximum length of a cell's text; Excel reports a file with a longer one as corrupt. */
export const maxCellText = 32_767;

/** A sheet of texts with these columns. A row has the cells that it needs, by their columns. */
export interface PlainSheet {
  name: string;
  columns: readonly string[];
  rows: readonly Readonly<Record<string, string>>[];
}

/** A workbook of a few sheets that fit into memory. An empty text has no cell. */
export async function writeSheets(sheets: readonly PlainSheet[]): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, content: string) => zip.addBuffer(Buffer.from(content), path);
  for (const [index, sheet] of sheets.entries()) add(`xl/worksheets/sheet${index + 1}.xml`, printSheet(sheet));
  for (const [path, content] of Object.entries(packageParts(sheets.map(({ name }) => ({ name }))))) add(path, content);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

function printSheet({ columns, rows }: PlainSheet): string {
  const place = new Map(columns.map((column, index) => [column, index + 1]));
  const printRow = (cells: readonly (readonly [column: number, text: string])[], number: number, style?: number) =>
    `<row r="${number}">${cells.map(([column, text]) => textCell(text.slice(0, maxCellText).toWellFormed(), `${lettersOf(column)}${number}`, style)).join('')}</row>`;
  const heading = printRow(
    columns.map((column, index) => [index + 1, column]),
    1,
    styleOf.heading,
  );
  const printed = rows.map((row, index) => {
    const cells = Object.entries(row).flatMap(([column, text]) => (text === '' ? [] : [[place.get(column) ?? 0, text] as const]));
    return printRow(
      cells.filter(([column]) => column > 0).toSorted(([a], [b]) => a - b),
      index + 2,
    );
  });
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  const widths = columns.map(
    (column, index) => `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column, rows)}" customWidth="1"/>`,
  );
  return `${declaration}<worksheet xmlns="${sheetNamespace}">${frozen}<cols>${widths.join('')}</cols><sheetData>${heading}${printed.join('')}</sheetData></worksheet>`;
}

/** In characters, within what a screen shows. */
const widthOf = (column: string, rows: PlainSheet['rows']): number =>
  Math.min(Math.max(9, column.length + 2, ...rows.slice(0, 50).map((row) => (row[column] ?? '').length + 2)), 60);
