import {
  declaration,
  escaped,
  lettersOf,
  maxCellText,
  packageParts,
  relationships,
  sheetNamespace,
  styleOf,
  textCell,
  type SheetPart,
} from '@sheaf/workbook';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { Dated } from './dated';
import { Linked, type Cell, type Table, type TableRow } from './table';
import { exportWords, type ExportWords } from './words';

/** Maximum rows of a sheet, including its header. */
const maxSheetRows = 1_048_576;
/** The columns of a sheet; readers refuse a file with more. */
export const maxColumns = 16_384;
/** Rows rendered into one string. Larger strings outlive the young generation and stay in memory until the next full collection. */
const rowsPerChunk = 50;
/** Excel reports a sheet with more as corrupt. They are also all that the memory of an export holds. */
const maxSheetLinks = 65_530;

/** The facts for the sheet about the file, known once all rows are written. */
export interface Written {
  submissions: number;
  sheets: number;
  /** Texts that did not fit into their cells. */
  cut: number;
  /** File names that are no links. */
  unlinked: number;
}

export const limits = { sheetRows: maxSheetRows, textLength: maxCellText, sheetLinks: maxSheetLinks };

interface Workbook {
  words?: ExportWords;
  /** Further tables, each on sheets of its own behind those of the submissions, by its label. */
  further?: readonly { label: string; table: Table; batches: AsyncIterable<TableRow[]> }[];
  /** The rows of the sheet about the file, asked for at the end. */
  about?: (written: Written) => [string, Cell][];
  sheetRows?: number;
  sheetLinks?: number;
}

/**
 * A workbook (ECMA-376) with as many sheets as needed. Written by hand into a zip that is compressed as it is read: ExcelJS writes as fast
 * as it is fed, so a slow client would hold the whole workbook in memory. Text cells are typed as text, so no formula is evaluated. A file that
 * broke off has no directory at its end, and no program opens it.
 */
export async function* xlsx(
  table: Table,
  batches: AsyncIterable<TableRow[]>,
  { words = exportWords('en'), further = [], about, sheetRows = maxSheetRows, sheetLinks = maxSheetLinks }: Workbook = {},
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const packed = zip.outputStream as Readable;
  const sheets: SheetPart[] = [];
  const written: Written = { submissions: 0, sheets: 0, cut: 0, unlinked: 0 };
  let sheet: Readable | undefined;

  const add = async (content: AsyncIterable<string> | Iterable<string>, path: string) => {
    sheet = Readable.from(content);
    zip.addReadStream(sheet, path, { compressionLevel: 1 });
    await finished(sheet);
  };
  const names = new SheetNames([words.aboutSheet, ...reservedNames]);
  const writeTable = async (label: string, of: Table, some: AsyncIterable<TableRow[]>, count: (rows: number) => void) => {
    const rows = new Rows(some[Symbol.asyncIterator]());
    let number = 0;
    do {
      number += 1;
      const links: Link[] = [];
      const name = names.next(label, number);
      const printed = new Sheet(of, { written, count, links, sheetLinks, cutMark: words.cut });
      await add(printed.print(rows, sheetRows, sheets.length === 0), `xl/worksheets/sheet${sheets.length + 1}.xml`);
      if (links.length > 0) await add(linkTargets(links), `xl/worksheets/_rels/sheet${sheets.length + 1}.xml.rels`);
      sheets.push({ name, filtered: printed.range() });
    } while (await rows.hasMore());
    return number;
  };
  const writeAll = async () => {
    written.sheets = await writeTable(words.sheet, table, batches, (rows) => {
      written.submissions += rows;
    });
    for (const { label, table: of, batches: some } of further) await writeTable(sheetLabel(label, words.sheet), of, some, () => undefined);
    if (about) {
      await add([printAbout(about(written))], `xl/worksheets/sheet${sheets.length + 1}.xml`);
      sheets.push({ name: words.aboutSheet });
    }
    for (const [path, content] of Object.entries(packageParts(sheets))) zip.addBuffer(Buffer.from(content), path);
    zip.end();
  };
  // An error in a sheet fails the whole file; on its own, the zip would wait for the rest of the sheet.
  zip.on('error', (error: Error) => packed.destroy(error));
  const writing = writeAll().catch((error: unknown) => void packed.destroy(error as Error));
  try {
    yield* packed as AsyncIterable<Buffer>;
  } finally {
    sheet?.destroy();
    await writing;
  }
}

/** A label for the names of sheets: short, and without the characters that Excel refuses. */
const sheetLabel = (label: string, otherwise: string): string =>
  label
    .replace(/[^\p{L}\p{N}_-]+/gu, ' ')
    .trim()
    .slice(0, 20)
    .toWellFormed()
    .trim() || otherwise;

/** Excel keeps it for a sheet of its own. */
const reservedNames = ['History'];

/** The names of all sheets, each once whatever its case. */
class SheetNames {
  private readonly taken: Set<string>;

  constructor(names: readonly string[]) {
    this.taken = new Set(names.map((name) => name.toLowerCase()));
  }

  /** @param number of the sheet among those with the label */
  next(label: string, number: number): string {
    const plain = `${label}${number === 1 ? '' : ` ${number}`}`;
    let name = plain;
    for (let other = 1; this.taken.has(name.toLowerCase()); other++) name = `${plain} (${other})`;
    this.taken.add(name.toLowerCase());
    return name;
  }
}

/** Returns the rows of batches in chunks that fit. */
class Rows {
  private batch: TableRow[] = [];

  constructor(private readonly batches: AsyncIterator<TableRow[]>) {}

  async hasMore(): Promise<boolean> {
    if (this.batch.length > 0) return true;
    const next = await this.batches.next();
    if (next.done === true) return false;
    this.batch = next.value;
    return true;
  }

  /** Those that come first, without taking them. */
  first = (most: number): TableRow[] => this.batch.slice(0, most);

  take = (most: number): TableRow[] => this.batch.splice(0, most);
}

interface Link {
  at: string;
  address: string;
}

interface Printing {
  written: Written;
  /** Called with the number of rows that are printed. */
  count: (rows: number) => void;
  /** Those of the sheet, to be written after its cells. */
  links: Link[];
  sheetLinks: number;
  cutMark: string;
}

class Sheet {
  private readonly columns: string[];
  private rows = 1;

  constructor(
    private readonly table: Table,
    private readonly printing: Printing,
  ) {
    this.columns = table.header.map((_, index) => lettersOf(index + 1));
  }

  /** All cells, with the header. */
  range = (): string => `$A$1:$${this.columns.at(-1) ?? 'A'}$${this.rows}`;

  /** The header is frozen, and its columns can be filtered. Widths follow from the first rows, as they stand before the cells. */
  async *print(rows: Rows, sheetRows: number, isFirst: boolean): AsyncGenerator<string> {
    const { table, printing } = this;
    const { header, rowOf } = table;
    await rows.hasMore();
    const shown = rows.first(rowsPerChunk).map(rowOf);
    yield `${declaration}<worksheet xmlns="${sheetNamespace}" xmlns:r="${relationships}"><sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${printWidths(header, shown)}<sheetData>${this.printHeader()}`;
    while (this.rows < sheetRows && (await rows.hasMore())) {
      const taken = rows.take(Math.min(rowsPerChunk, sheetRows - this.rows));
      printing.count(taken.length);
      yield taken.map((row) => this.printRow(rowOf(row), (this.rows += 1))).join('');
    }
    yield `</sheetData><autoFilter ref="${this.range().replaceAll('$', '')}"/>`;
    if (printing.links.length > 0) {
      yield '<hyperlinks>';
      for (const [index, { at }] of printing.links.entries()) yield `<hyperlink ref="${at}" r:id="l${index}"/>`;
      yield '</hyperlinks>';
    }
    yield '</worksheet>';
  }

  private printHeader(): string {
    const cells = this.table.header.map((heading, index) => printText(heading, `${this.columns[index] ?? ''}1`, styleOf.heading, this.cut));
    return `<row r="1">${cells.join('')}</row>`;
  }

  private printRow(cells: readonly Cell[], number: number): string {
    return `<row r="${number}">${cells.map((cell, index) => this.printCell(cell, `${this.columns[index] ?? ''}${number}`)).join('')}</row>`;
  }

  private printCell(cell: Cell, at: string): string {
    return cell instanceof Linked ? this.printLink(cell, at) : printPlain(cell, at, this.cut);
  }

  private printLink({ text, address }: Linked, at: string): string {
    const { links, sheetLinks, written } = this.printing;
    if (links.length === sheetLinks) {
      written.unlinked += 1;
      return printText(text, at, undefined, this.cut);
    }
    links.push({ at, address });
    return printText(text, at, styleOf.link, this.cut);
  }

  private readonly cut = (text: string): string => {
    if (text.length <= maxCellText) return text;
    const { written, cutMark } = this.printing;
    written.cut += 1;
    return text.slice(0, maxCellText - cutMark.length).toWellFormed() + cutMark;
  };
}

function* linkTargets(links: readonly Link[]): Generator<string> {
  yield `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`;
  for (const [index, { address }] of links.entries())
    yield `<Relationship Id="l${index}" Type="${relationships}/hyperlink" Target="${escaped(address).replaceAll('"', '&quot;')}" TargetMode="External"/>`;
  yield '</Relationships>';
}

function printAbout(rows: readonly [string, Cell][]): string {
  const asItIs = (text: string) => text.slice(0, maxCellText).toWellFormed();
  const printed = rows.map(([name, value], index) => {
    const number = index + 1;
    const cell =
      typeof value === 'string' ? printText(value, `B${number}`, styleOf.wrapped, asItIs) : printPlain(value, `B${number}`, asItIs);
    return `<row r="${number}">${printText(name, `A${number}`, styleOf.name, asItIs)}${cell}</row>`;
  });
  const widths = '<cols><col min="1" max="1" width="28" customWidth="1"/><col min="2" max="2" width="70" customWidth="1"/></cols>';
  return `${declaration}<worksheet xmlns="${sheetNamespace}">${widths}<sheetData>${printed.join('')}</sheetData></worksheet>`;
}

/** In characters: as wide as the heading and the first rows need, within what a screen shows. */
function printWidths(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const width = (index: number) => {
    // Room for the arrow of the filter beside the heading.
    const longest = rows.reduce((most, cells) => Math.max(most, lengthOf(cells[index])), Math.min((header[index] ?? '').length + 3, 40));
    return Math.min(Math.max(longest + 1, 9), 60);
  };
  return `<cols>${header.map((_, index) => `<col min="${index + 1}" max="${index + 1}" width="${width(index)}" customWidth="1"/>`).join('')}</cols>`;
}

function lengthOf(cell: Cell): number {
  if (cell === undefined) return 0;
  const text = cell instanceof Dated || cell instanceof Linked ? cell.text : String(cell);
  return Math.max(
    ...text
      .slice(0, 200)
      .split('\n')
      .map(({ length }) => length),
  );
}

function printPlain(cell: Cell, at: string, cut: (text: string) => string): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (cell instanceof Dated) return `<c r="${at}" s="${styleOf[cell.look]}"><v>${cell.serial}</v></c>`;
  const text = typeof cell === 'string' ? cell : cell.text;
  return printText(text, at, formulaLike.test(text) ? styleOf.quoted : undefined, cut);
}

/** It is typed as text; the style keeps it one when somebody edits the cell, as an apostrophe before it would. */
const formulaLike = /^[\t\r\n ]*[=+\-@]/;

const printText = (text: string, at: string, style: number | undefined, cut: (text: string) => string): string =>
  textCell(cut(text), at, style);
