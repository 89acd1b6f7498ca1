import { Problem } from '@sheaf/kernel';
import { brokenFile } from './broken';
import { Archive } from './unzip';
import { tokensOf } from './xml';

/** A row with its number in the sheet, which starts at 1, and the texts of its cells by column. Empty cells are absent. */
export interface Row {
  number: number;
  cells: ReadonlyMap<number, string>;
}

/** Enough for the largest form: 500 questions, and the options of each. */
export const bounds = { unpackedBytes: 16 * 1_024 * 1_024, rows: 20_000, columns: 256 };

/**
 * Reads some sheets of a workbook (ECMA-376) as texts. A sheet that is not there is absent. Without a library, as exports are written: a form needs only
 * the texts, libraries read everything else too, and here each bound holds while a file is unpacked.
 * @throws Problem `bad_request`
 */
export async function readSheets<Name extends string>(file: Buffer, names: readonly Name[]): Promise<Partial<Record<Name, Row[]>>> {
  const archive = new Archive(file, bounds.unpackedBytes);
  const paths = pathsOf(await part(archive, 'xl/workbook.xml'), await part(archive, 'xl/_rels/workbook.xml.rels'));
  const strings = stringsOf((await archive.unpack('xl/sharedStrings.xml')) ?? '');
  const sheets: Partial<Record<Name, Row[]>> = {};
  for (const name of names) {
    const path = paths.get(name);
    if (path !== undefined) sheets[name] = rowsOf(name, await part(archive, path), strings);
  }
  return sheets;
}

async function part(archive: Archive, name: string): Promise<string> {
  const xml = await archive.unpack(name);
  if (xml === undefined) throw brokenFile();
  return xml;
}

/** The path of each sheet in the archive, by its name in lower case. */
function pathsOf(workbook: string, relations: string): Map<string, string> {
  const targets = new Map<string, string>();
  for (const token of tokensOf(relations))
    if (token.kind === 'open' && token.name === 'Relationship') targets.set(token.attributes.Id ?? '', token.attributes.Target ?? '');
  const paths = new Map<string, string>();
  for (const token of tokensOf(workbook)) {
    if (token.kind !== 'open' || token.name !== 'sheet') continue;
    const id = Object.entries(token.attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? '';
    const target = targets.get(id) ?? '';
    paths.set((token.attributes.name ?? '').trim().toLowerCase(), target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  }
  return paths;
}

/** The texts that cells refer to. The parts of a formatted text are joined; phonetic hints are no part of it. */
function stringsOf(xml: string): string[] {
  const strings: string[] = [];
  let current = '';
  let isText = false;
  let isHint = false;
  for (const token of tokensOf(xml)) {
    if (token.kind === 'text') current += isText && !isHint ? token.text : '';
    else if (token.name === 't') isText = token.kind === 'open';
    else if (token.name === 'rPh') isHint = token.kind === 'open';
    else if (token.name === 'si' && token.kind === 'open') current = '';
    else if (token.name === 'si') strings.push(current);
  }
  return strings;
}

/** A cell while it is read. */
interface Cell {
  column: number;
  type: string;
  value: string;
}

function rowsOf(sheet: string, xml: string, strings: readonly string[]): Row[] {
  const rows: Row[] = [];
  let row: { number: number; cells: Map<number, string> } = { number: 0, cells: new Map() };
  let cell: Cell | undefined;
  let column = 0;
  let isValue = false;
  for (const token of tokensOf(xml)) {
    if (token.kind === 'text') {
      if (cell && isValue) cell.value += token.text;
    } else if (token.name === 'row') {
      if (token.kind === 'close') {
        if (row.cells.size > 0) rows.push(row);
        continue;
      }
      row = { number: Number(token.attributes.r ?? row.number + 1), cells: new Map() };
      column = 0;
      if (!Number.isSafeInteger(row.number) || rows.length >= bounds.rows)
        throw Problem.badRequest(`${sheet}: must have at most ${bounds.rows} rows`);
    } else if (token.name === 'c' && token.kind === 'open') {
      column = columnOf(token.attributes.r) ?? column + 1;
      if (column > bounds.columns) throw Problem.badRequest(`${sheet} row ${row.number}: must have at most ${bounds.columns} columns`);
      cell = { column, type: token.attributes.t ?? 'n', value: '' };
    } else if (token.name === 'c' && cell) {
      const text = textOf(cell, strings);
      if (text !== '') row.cells.set(cell.column, text);
      cell = undefined;
    } else if (token.name === 'v' || token.name === 't') isValue = token.kind === 'open';
  }
  return rows;
}

function textOf({ type, value }: Cell, strings: readonly string[]): string {
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type !== 's') return value.trim();
  const text = strings[Number(value)];
  if (text === undefined) throw brokenFile();
  return text.trim();
}

/** The column of a reference such as `B7`: 2. */
function columnOf(reference: string | undefined): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? '') ?? [];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0);
}
