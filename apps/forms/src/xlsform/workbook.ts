import { Problem } from '@sheaf/kernel';
import { brokenFile } from './broken';
import { Archive } from './unzip';
import { tokensOf, type Token } from './xml';

/** A row with its number in the sheet, which starts at 1, and the texts of its cells by column. Empty cells are absent. */
export interface Row {
  number: number;
  cells: ReadonlyMap<number, string>;
}

/** Enough for the largest form: 500 questions, and the options of each. */
export const bounds = { unpackedBytes: 16 * 1_024 * 1_024, rows: 20_000, columns: 256 };

/**
 * Reads some sheets of a workbook (ECMA-376) as texts. A sheet that is not there is absent. Without a library for workbooks: a form needs only
 * the texts, such libraries read everything else too, and here each bound holds while a file is unpacked.
 * @throws Problem `bad_request`
 */
export async function readSheets<Name extends string>(file: Buffer, names: readonly Name[]): Promise<Partial<Record<Name, Row[]>>> {
  const archive = await Archive.open(file, bounds.unpackedBytes);
  const paths = await pathsOf(part(archive, 'xl/workbook.xml'), part(archive, 'xl/_rels/workbook.xml.rels'));
  const shared = archive.unpack('xl/sharedStrings.xml');
  const strings = shared ? await stringsOf(tokensOf(shared)) : [];
  const sheets: Partial<Record<Name, Row[]>> = {};
  for (const name of names) {
    const path = paths.get(name);
    if (path !== undefined) sheets[name] = await rowsOf(name, part(archive, path), strings);
  }
  return sheets;
}

/** A file of the workbook. Tokens come many at a time, because waiting for each one would take longer than reading it. */
type Part = AsyncIterable<readonly Token[]>;

function part(archive: Archive, name: string): Part {
  const text = archive.unpack(name);
  if (text === undefined) throw brokenFile();
  return tokensOf(text);
}

/** The path of each sheet in the archive, by its name in lower case. */
async function pathsOf(workbook: Part, relations: Part): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  for await (const { name, attributes } of elementsOf(relations))
    if (name === 'Relationship') targets.set(attributes.Id ?? '', attributes.Target ?? '');
  const paths = new Map<string, string>();
  for await (const { name, attributes } of elementsOf(workbook)) {
    if (name !== 'sheet') continue;
    const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1] ?? '';
    const target = targets.get(id) ?? '';
    paths.set((attributes.name ?? '').trim().toLowerCase(), target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  }
  return paths;
}

async function* elementsOf(part: Part): AsyncGenerator<Token & { kind: 'open' }> {
  for await (const tokens of part) yield* tokens.filter((token) => token.kind === 'open');
}

/** The texts that cells refer to. The parts of a formatted text are joined; phonetic hints are no part of it. */
async function stringsOf(part: Part): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let isText = false;
  let isHint = false;
  for await (const tokens of part)
    for (const token of tokens) {
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

async function rowsOf(sheet: string, part: Part, strings: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  let row: { number: number; cells: Map<number, string> } = { number: 0, cells: new Map() };
  let cell: Cell | undefined;
  let column = 0;
  let isValue = false;
  for await (const tokens of part)
    for (const token of tokens) {
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
