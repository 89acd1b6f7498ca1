import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { lettersOf } from './workbook';
import { declaration, packageParts, sheetNamespace, styleOf, textCell } from './workbook-parts';

/** Maximum length of a cell's text; Excel reports a file with a longer one as corrupt. */
export const maxCellText = 32_767;

/** A sheet of texts, whose first row has the headings. */
export interface PlainSheet {
  name: string;
  rows: readonly (readonly string[])[];
}

/** A workbook of a few sheets that fit into memory. An empty text has no cell. */
export async function writeSheets(sheets: readonly PlainSheet[]): Promise<Buffer> {
  const zip = new ZipFile();
  const add = (path: string, content: string) => zip.addBuffer(Buffer.from(content), path);
  for (const [index, { rows }] of sheets.entries()) add(`xl/worksheets/sheet${index + 1}.xml`, printSheet(rows));
  for (const [path, content] of Object.entries(packageParts(sheets.map(({ name }) => ({ name }))))) add(path, content);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

function printSheet(rows: readonly (readonly string[])[]): string {
  const frozen =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  const widths = (rows[0] ?? []).map(
    (_, index) => `<col min="${index + 1}" max="${index + 1}" width="${widthOf(rows, index)}" customWidth="1"/>`,
  );
  const printed = rows.map((cells, at) => {
    const row = cells.map((text, index) =>
      text === ''
        ? ''
        : textCell(text.slice(0, maxCellText).toWellFormed(), `${lettersOf(index + 1)}${at + 1}`, at === 0 ? styleOf.heading : undefined),
    );
    return `<row r="${at + 1}">${row.join('')}</row>`;
  });
  return `${declaration}<worksheet xmlns="${sheetNamespace}">${frozen}<cols>${widths.join('')}</cols><sheetData>${printed.join('')}</sheetData></worksheet>`;
}

/** In characters, within what a screen shows. */
const widthOf = (rows: readonly (readonly string[])[], column: number): number =>
  Math.min(Math.max(9, ...rows.slice(0, 50).map((cells) => (cells[column] ?? '').length + 2)), 60);
