import { isBlank } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { posix } from 'node:path';
import { brokenFile, brokenRow } from './broken';
import { shownNumber, stylesOf, type Style } from './numbers';
import { Archive } from './unzip';
import { tokensOf, type Part, type Token } from './xml';

/** A row with its number in the sheet, which starts at 1, and the texts of its cells by column. Empty cells are absent. */
export interface Row {
  number: number;
  cells: ReadonlyMap<number, string>;
  /** The columns of the cells that have an error, such as `#REF!`, in place of their text. */
  faulty: ReadonlySet<number>;
}

/** The limits of a file: of everything that it unpacks to, and of the sheets that are read. */
export interface Bounds {
  unpackedBytes: number;
  rows: number;
  columns: number;
  /** The cells with a text or an error. */
  cells: number;
  /** The characters of one cell. */
  cell: number;
  /** The characters of all cells. */
  text: number;
}

/** Enough for the largest form: 500 questions, and the options of each. No spreadsheet program writes longer cells. */
export const xlsFormBounds: Bounds = {
  unpackedBytes: 16 * 1_024 * 1_024,
  rows: 20_000,
  columns: 256,
  cells: 5_120_000,
  cell: 32_767,
  text: 16 * 1_024 * 1_024,
};

/** Takes notice of what is not read. */
export interface Report {
  warn(sheet: string, row: number, message: string): void;
}

/**
 * Reads some sheets of a workbook (ECMA-376) as texts, as the spreadsheet shows them. A sheet that is not there is absent. Without a library for
 * workbooks: a form needs only the texts, such libraries read everything else too, and here each bound holds while a file is unpacked.
 * @throws Problem `bad_request`
 */
export async function readSheets<Name extends string>(
  file: Buffer,
  names: readonly Name[],
  report: Report,
  bounds = xlsFormBounds,
): Promise<Partial<Record<Name, Row[]>>> {
  const archive = await Archive.open(file, bounds.unpackedBytes);
  const parts = await partsOf(archive, report);
  const { sheets: paths } = parts;
  const context = await contextOf(archive, parts, { report, bounds });
  const sheets: Partial<Record<Name, Row[]>> = {};
  for (const name of names) {
    const path = paths.get(name);
    if (path !== undefined) sheets[name] = await rowsOf(name, part(archive, path), context);
  }
  return sheets;
}

/** The same of the first sheet, with its name. @throws Problem `bad_request` */
export async function readFirstSheet(file: Buffer, report: Report, bounds: Bounds): Promise<{ name: string; rows: Row[] }> {
  const archive = await Archive.open(file, bounds.unpackedBytes);
  const parts = await partsOf(archive, report);
  const [first] = parts.sheets;
  if (first === undefined) throw brokenFile();
  const [name, path] = first;
  return { name, rows: await rowsOf(name, part(archive, path), await contextOf(archive, parts, { report, bounds })) };
}

async function contextOf(
  archive: Archive,
  { strings, styles, isFrom1904 }: Parts,
  { report, bounds }: { report: Report; bounds: Bounds },
): Promise<Context> {
  const [shared, formats] = [archive.unpack(strings), archive.unpack(styles)];
  return {
    strings: shared ? await stringsOf(tokensOf(shared), bounds) : [],
    styles: formats ? await stylesOf(tokensOf(formats)) : [],
    isFrom1904,
    bounds,
    cellsLeft: bounds.cells,
    charactersLeft: bounds.text,
    report,
  };
}

function part(archive: Archive, name: string): Part {
  const text = archive.unpack(name);
  if (text === undefined) throw brokenFile();
  return tokensOf(text);
}

/** The paths of the workbook's parts, which its relationships name. Sheets are found by their names in lower case. */
interface Parts {
  sheets: ReadonlyMap<string, string>;
  strings: string;
  styles: string;
  /** Whether days are counted from 1904, as some programs for the Macintosh do. */
  isFrom1904: boolean;
}

async function partsOf(archive: Archive, report: Report): Promise<Parts> {
  const package_ = await relationsOf(archive, '');
  const workbook = package_.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml';
  const related = await relationsOf(archive, workbook);
  const pathOf = (wanted: string, usual: string) =>
    related.find(({ type }) => type === wanted)?.path ?? posix.join(posix.dirname(workbook), usual);
  const sheets = new Map<string, string>();
  const exact = new Set<string>();
  let isFrom1904 = false;
  for await (const { name, attributes } of elementsOf(part(archive, workbook))) {
    if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
    if (name !== 'sheet') continue;
    const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1] ?? '';
    const written = (attributes.name ?? '').toLowerCase();
    const title = written.trim();
    const isExact = written === title;
    if (sheets.has(title))
      report.warn(title, 1, `the sheet "${(exact.has(title) ? written : title).slice(0, 64)}" is not read, as there are two of its name`);
    if (exact.has(title)) continue;
    if (isExact) exact.add(title);
    if (isExact || !sheets.has(title)) sheets.set(title, related.find((relation) => relation.id === id)?.path ?? '');
  }
  return { sheets, strings: pathOf('sharedStrings', 'sharedStrings.xml'), styles: pathOf('styles', 'styles.xml'), isFrom1904 };
}

/** The references of a part, with the last word of each type, such as `worksheet`. Without a part, what the package refers to. */
async function relationsOf(archive: Archive, of: string): Promise<{ id: string; type: string; path: string }[]> {
  const folder = posix.dirname(of);
  const text = archive.unpack(posix.join(folder, '_rels', `${posix.basename(of)}.rels`));
  const relations = [];
  if (text)
    for await (const { name, attributes } of elementsOf(tokensOf(text)))
      if (name === 'Relationship')
        relations.push({
          id: attributes.Id ?? '',
          type: attributes.Type?.split('/').at(-1) ?? '',
          path: posix.resolve('/', folder, attributes.Target ?? '').slice(1),
        });
  return relations;
}

async function* elementsOf(part: Part): AsyncGenerator<Token & { kind: 'open' }> {
  for await (const tokens of part) yield* tokens.filter((token) => token.kind === 'open');
}

/** The texts that cells refer to. The parts of a formatted text are joined; phonetic hints are no part of it. */
async function stringsOf(part: Part, bounds: Bounds): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let isText = false;
  let isHint = false;
  for await (const tokens of part)
    for (const token of tokens) {
      if (token.kind === 'text') current += isText && !isHint && current.length <= bounds.cell ? token.text : '';
      else if (token.name === 't') isText = token.kind === 'open';
      else if (token.name === 'rPh') isHint = token.kind === 'open';
      else if (token.name === 'si' && token.kind === 'open') current = '';
      else if (token.name === 'si') strings.push(plain(current));
    }
  return strings;
}

/** A cell while it is read. */
interface Cell {
  column: number;
  type: string;
  style: number;
  value: string;
}

/** The parts that all sheets of a workbook have in common. */
interface Context {
  strings: readonly string[];
  styles: readonly Style[];
  isFrom1904: boolean;
  bounds: Bounds;
  /** The cells with a text or an error that there may still be. */
  cellsLeft: number;
  /** The characters that all cells may still have: a text that is stored once may be in every cell. */
  charactersLeft: number;
  report: Report;
}

async function rowsOf(sheet: string, part: Part, context: Context): Promise<Row[]> {
  const { bounds } = context;
  const rows: Row[] = [];
  let row = { number: 0, cells: new Map<number, string>(), faulty: new Set<number>() };
  let cell: Cell | undefined;
  let column = 0;
  let isValue = false;
  let isHint = false;
  for await (const tokens of part)
    for (const token of tokens) {
      if (token.kind === 'text') {
        if (cell && isValue && !isHint && cell.value.length <= bounds.cell) cell.value += token.text;
      } else if (token.name === 'row') {
        if (token.kind === 'close') {
          if (row.cells.size + row.faulty.size > 0) rows.push(row);
          continue;
        }
        row = { number: Number(token.attributes.r ?? row.number + 1), cells: new Map(), faulty: new Set() };
        column = 0;
        if (!Number.isSafeInteger(row.number) || rows.length >= bounds.rows)
          throw Problem.badRequest(`${sheet}: must have at most ${bounds.rows} rows`);
      } else if (token.name === 'c' && token.kind === 'open') {
        column = columnOf(token.attributes.r) ?? column + 1;
        cell = { column, type: token.attributes.t ?? 'n', style: Number(token.attributes.s ?? 0), value: '' };
      } else if (token.name === 'c' && cell) {
        const text = textOf(cell, context);
        const isFilled = text !== '' || cell.type === 'e';
        // Programs store empty cells for their looks, far beyond the last column.
        if (isFilled && cell.column > bounds.columns)
          throw Problem.badRequest(`${sheet} row ${row.number}: must have at most ${bounds.columns} columns`);
        if (text.length > bounds.cell) throw brokenRow(sheet, row.number, `a cell must have at most ${bounds.cell} characters`);
        if (isFilled) context.cellsLeft -= 1;
        if (context.cellsLeft < 0) throw brokenRow(sheet, row.number, `up to here, the file has more than ${bounds.cells} cells`);
        context.charactersLeft -= text.length;
        if (context.charactersLeft < 0) throw brokenRow(sheet, row.number, `up to here, the file has more than ${bounds.text} characters`);
        if (cell.type === 'e') {
          row.faulty.add(cell.column);
          context.report.warn(
            sheet,
            row.number,
            `the cell ${lettersOf(cell.column)}${row.number} has the error ${text.slice(0, 64)}; it counts as empty`,
          );
        } else if (text !== '') row.cells.set(cell.column, text);
        cell = undefined;
      } else if (token.name === 'v' || token.name === 't') isValue = token.kind === 'open';
      else if (token.name === 'rPh') isHint = token.kind === 'open';
    }
  return rows;
}

function textOf({ type, style, value }: Cell, { strings, styles, isFrom1904 }: Context): string {
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'n') return shownNumber(value.trim(), styles[style], isFrom1904);
  if (type !== 's') return plain(value);
  const text = strings[Number(value)];
  if (text === undefined) throw brokenFile();
  return text;
}

/**
 * Programs write characters that XML does not have by their numbers, and those that would be read so: `_x000D_`. Line breaks become those
 * of forms. Cells that show nothing are no content.
 */
const plain = (written: string): string => {
  const text = written
    .replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .toWellFormed()
    .trim();
  return isBlank(text) ? '' : text;
};

/** The column of a reference such as `B7`: 2. */
function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The letters of a column: `B` for 2. */
export const lettersOf = (column: number): string =>
  column <= 0 ? '' : `${lettersOf(Math.floor((column - 1) / 26))}${String.fromCharCode(65 + ((column - 1) % 26))}`;
