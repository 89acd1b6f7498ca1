import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Sheets by name: rows of texts. An empty text is no cell. */
export type Sheets = Readonly<Record<string, readonly (readonly string[])[]>>;

/** The parts of an XLSX workbook. Half of its texts are shared, as most programs write them. */
export function workbookParts(sheets: Sheets): Record<string, string> {
  const names = Object.keys(sheets);
  const shared = [...new Set(Object.values(sheets).flat(2))];
  return {
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name, index) => `<sheet name="${escaped(name).replaceAll('"', '&quot;')}" sheetId="${index + 1}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, index) => `<Relationship Id="r${index}" Target="worksheets/sheet${index}.xml"/>`).join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si><r><t xml:space="preserve">${escaped(text)}</t></r></si>`).join('')}</sst>`,
    ...Object.fromEntries(Object.values(sheets).map((rows, index) => [`xl/worksheets/sheet${index}.xml`, sheetOf(rows, shared)])),
  };
}

/** An XLSX workbook with these parts. */
export async function workbookOf(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(`<?xml version="1.0"?>${text}`), name);
  zip.end();
  return buffer(zip.outputStream);
}

export const workbook = (sheets: Sheets): Promise<Buffer> => workbookOf(workbookParts(sheets));

const sheetOf = (rows: Sheets[string], shared: readonly string[]): string =>
  `<worksheet><sheetData>${rows.map((cells, row) => `<row r="${row + 1}">${cells.map((text, column) => cellOf(text, `${letter(column)}${row + 1}`, shared)).join('')}</row>`).join('')}</sheetData></worksheet>`;

function cellOf(text: string, place: string, shared: readonly string[]): string {
  if (text === '') return '';
  const index = shared.indexOf(text);
  return index % 2 === 0
    ? `<c r="${place}" t="s"><v>${index}</v></c>`
    : `<c r="${place}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
}

const letter = (column: number): string => String.fromCharCode(65 + column);

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
