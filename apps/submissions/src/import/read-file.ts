import { setImmediate } from 'node:timers/promises';
import { importLimits } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { readFirstSheet } from '@sheaf/workbook';
import { parse, type CsvError } from 'csv-parse';
import { Breath } from './breath';

/** A row with its number in the file, from 1 on, and the texts of its cells. */
export interface FileRow {
  number: number;
  cells: readonly string[];
  /** The columns, from 0 on, that have an error of the spreadsheet such as `#REF!`. */
  faulty?: ReadonlySet<number>;
}

export interface FileTable {
  format: 'csv' | 'xlsx';
  encoding?: string;
  delimiter?: string;
  sheet?: string;
  headings: readonly string[];
  /** Those with something in them. */
  rows: readonly FileRow[];
}

/** Longer texts than any answer has. */
const longestCell = 100_000;
/** Longer than a label and an option together. Each heading is compared with names. */
const longestHeading = 1_000;
/** The repetitive XML of a sheet is packed to a tenth and less. */
const unpackedBytes = 64 * 1_024 * 1_024;
/** The parser gets so many characters at once. */
const charactersAtOnce = 65_536;

/**
 * Reads a table whose first row has the headings. Its bounds hold while it is read, so that a small file cannot become a large one.
 * @throws Problem `bad_request` that names the bound or the row
 */
export async function readFile(bytes: Buffer, limits = importLimits, breath = new Breath()): Promise<FileTable> {
  if (bytes.length === 0) throw Problem.badRequest('file: must not be empty');
  if (bytes.subarray(0, 4).equals(zipStart)) return fromWorkbook(bytes, limits, breath);
  if (bytes.subarray(0, 4).equals(oldOfficeStart))
    throw Problem.badRequest('file: is a workbook of an old format, or encrypted; save it as .xlsx without a password, or as CSV');
  return fromCsv(bytes, limits, breath);
}

const zipStart = Buffer.from('PK\u0003\u0004', 'latin1');
const oldOfficeStart = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

type Limits = typeof importLimits;

async function fromWorkbook(bytes: Buffer, limits: Limits, breath: Breath): Promise<FileTable> {
  const bounds = {
    unpackedBytes,
    rows: limits.rows + 1,
    columns: limits.columns,
    cells: limits.cells,
    cell: longestCell,
    text: limits.characters,
  };
  const { name, rows } = await readFirstSheet(bytes, { warn: () => undefined }, bounds);
  const all: FileRow[] = [];
  for (const { number, cells, faulty } of rows) {
    await breath.take();
    const texts = Array.from({ length: Math.max(0, ...cells.keys()) }, (_, index) => cells.get(index + 1) ?? '');
    all.push({ number, cells: texts, faulty: new Set([...faulty].map((column) => column - 1)) });
  }
  return { format: 'xlsx', sheet: name, ...tableOf(all) };
}

async function fromCsv(bytes: Buffer, limits: Limits, breath: Breath): Promise<FileTable> {
  const { text, encoding } = decoded(bytes, limits);
  const delimiter = delimiterOf(text);
  const parser = parse({ delimiter, relax_column_count: true, skip_empty_lines: false, max_record_size: 4 * 1_024 * 1_024 });
  const rows: FileRow[] = [];
  let number = 0;
  let cellsLeft = limits.cells;
  let failure: CsvError | undefined;
  parser.on('error', (error: CsvError) => (failure = error));
  const take = async () => {
    for (let record = parser.read() as string[] | null; record !== null; record = parser.read() as string[] | null) {
      number += 1;
      // Before anything is made of them: a record may have millions of cells.
      if (record.length > limits.columns && record.some((cell, index) => index >= limits.columns && cell.trim() !== ''))
        throw Problem.badRequest(`file: row ${number} must have at most ${limits.columns} columns`);
      const cells = record.slice(0, limits.columns).map((cell) => cell.toWellFormed().replaceAll('\0', ''));
      const filled = cells.filter((cell) => cell.trim() !== '').length;
      if (filled === 0) continue;
      if (rows.length > limits.rows) throw Problem.badRequest(`file: must have at most ${limits.rows} rows below its headings`);
      if (cells.some((cell) => cell.length > longestCell))
        throw Problem.badRequest(`file: row ${number} has a cell of more than ${longestCell} characters`);
      cellsLeft -= filled;
      if (cellsLeft < 0) throw Problem.badRequest(`file: must have at most ${limits.cells} filled cells`);
      rows.push({ number, cells });
      await breath.take();
    }
  };
  for (let at = 0; at < text.length && failure === undefined; at += charactersAtOnce) {
    parser.write(text.slice(at, at + charactersAtOnce));
    await setImmediate();
    await take();
  }
  const ended = new Promise<void>((resolve) => parser.once('end', resolve).once('error', () => resolve()));
  if (failure === undefined) parser.end();
  await setImmediate();
  await take();
  if (failure === undefined) await ended;
  if (failure) throw brokenCsv(failure, number);
  return { format: 'csv', encoding, delimiter, ...tableOf(rows) };
}

function brokenCsv(error: CsvError, rowsBefore: number): Problem {
  const message = `file: is not valid CSV after row ${rowsBefore}; a quotation mark may be missing or too many there`;
  return new Problem('bad_request', message, { cause: error });
}

function tableOf([header, ...rows]: readonly FileRow[]): Pick<FileTable, 'headings' | 'rows'> {
  if (!header) throw Problem.badRequest('file: must have a row with headings');
  const columns = [header, ...rows].reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const headings = Array.from({ length: columns }, (_, index) => (header.cells[index] ?? '').trim().slice(0, longestHeading));
  // Columns without a heading and without content are the rest of cells that were emptied.
  let last = columns;
  while (last > 0 && headings[last - 1] === '' && rows.every(({ cells }) => (cells[last - 1] ?? '').trim() === '')) last -= 1;
  return { headings: headings.slice(0, last), rows };
}

/** As most programs write it: UTF-8, or UTF-16 with a mark. A file that is neither comes from a spreadsheet on Windows, which writes one byte for each character. */
function decoded(bytes: Buffer, limits: Limits): { text: string; encoding: string } {
  const marked = bytes.subarray(0, 2).toString('hex');
  const encoding = marked === 'fffe' ? 'utf-16le' : marked === 'feff' ? 'utf-16be' : isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.slice(0, 4_096).includes('\0'))
    throw Problem.badRequest('file: must be an XLSX workbook, or CSV in UTF-8, UTF-16 with a byte order mark, or Windows-1252');
  if (text.length > limits.characters) throw Problem.badRequest(`file: must have at most ${limits.characters} characters`);
  return { text, encoding };
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const delimiters = [',', ';', '\t', '|'];

/** The one that stands most often between the headings. */
function delimiterOf(text: string): string {
  const counts = new Map(delimiters.map((delimiter): [string, number] => [delimiter, 0]));
  let isQuoted = false;
  let hasText = false;
  for (const character of text.slice(0, 65_536)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r') && hasText) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
    if (character.trim() !== '') hasText = true;
  }
  return delimiters.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}
