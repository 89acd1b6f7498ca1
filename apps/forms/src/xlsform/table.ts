import type { Report } from './report';
import { lettersOf, type Row } from '@sheaf/workbook';

/** A row below the header, with its texts by the names of the columns. */
export interface Entry {
  row: number;
  get: (...columns: readonly string[]) => string;
  /** Whether the cell has an error, such as `#REF!`, and no text. */
  isFaulty: (column: string) => boolean;
}

export interface Table {
  sheet: string;
  /** In lower case but for what follows a `::`, and by the name that an import knows. */
  columns: readonly string[];
  entries: readonly Entry[];
}

/** Longer names, types and expressions are none that an import knows. `get` leaves out what follows the first character too many. */
export const maxLength = 1_000;

/** The language of a column such as `label::English (en)`. */
export const languageOf = (column: string): string | undefined =>
  /^(?:label|hint|constraint_message|required_message)::(.+)$/.exec(column)?.[1];

export const isTextColumn = (column: string): boolean =>
  ['label', 'hint', 'constraint_message', 'required_message'].includes(column) || languageOf(column) !== undefined;

/** These may fill a cell. */
const isForPeople = (column: string): boolean => column === 'default' || isTextColumn(column);

/** A sheet whose first row names the columns. */
export function tableOf(sheet: string, [header, ...rows]: readonly Row[], report: Report): Table {
  const columns = columnsOf(sheet, header?.cells ?? new Map(), rows, report);
  const textIn = (cells: Row['cells'], name: string): string => {
    const text = cells.get(columns.get(name) ?? -1) ?? '';
    return isForPeople(name) ? text : text.slice(0, maxLength + 1);
  };
  return {
    sheet,
    columns: [...columns.keys()],
    entries: rows.map(({ number, cells, faulty }) => ({
      row: number,
      get: (...names) => names.map((name) => textIn(cells, name)).find((text) => text !== '') ?? '',
      isFaulty: (name) => faulty.has(columns.get(name) ?? -1),
    })),
  };
}

/** The columns by name: of those with one name, the first that has content. */
function columnsOf(sheet: string, header: Row['cells'], rows: readonly Row[], report: Report): Map<string, number> {
  const columns = new Map<string, number>();
  const hasContent = (column: number) => rows.some(({ cells }) => cells.has(column));
  for (const [column, written] of header) {
    const name = nameOf(sheet, written);
    const other = columns.get(name);
    if (other === undefined) {
      columns.set(name, column);
      continue;
    }
    const used = hasContent(other) || !hasContent(column) ? other : column;
    columns.set(name, used);
    const [read, left] = [used, used === other ? column : other].map(
      (one) => `${lettersOf(one)} "${(header.get(one) ?? '').slice(0, 64)}"`,
    );
    report.warn(sheet, 1, `the column ${left ?? ''} is not taken over, as the column ${read ?? ''} means the same`);
  }
  return columns;
}

/** Longer names are none that an import knows. */
const maxName = 200;

/** Other names of the columns in the wild. */
const spellings = new Map([
  ...(['relevant', 'required', 'constraint', 'calculation'] as const).map((name) => [`bind::${name}`, name] as const),
  ['bind::calculate', 'calculation'],
  ['bind::readonly', 'read_only'],
  ['bind::type', 'type'],
  ['control::appearance', 'appearance'],
  ['relevance', 'relevant'],
  ['calculate', 'calculation'],
  ['readonly', 'read_only'],
  ['caption', 'label'],
  ['command', 'type'],
  ['tag', 'name'],
  ['jr::count', 'repeat_count'],
  ['bind::jr:count', 'repeat_count'],
]);

/** The names of messages in the form that devices read, which a language may follow: `bind::jr:constraintMsg::Deutsch`. */
const messageInForm = /^\s*bind::?\s*jr:(constraint|required)msg/i;

const nameOf = (sheet: string, header: string): string => {
  const usual = header.slice(0, maxName).replace(messageInForm, (_, kind: string) => `${kind.toLowerCase()}_message`);
  const [name = '', ...language] = usual.split(/::?/);
  const plain = name.trim().toLowerCase().replace(/\s+/g, '_');
  const ofLanguage = language.map((part) => part.trim()).join(':');
  // In the sheet of options, which may have both, the reader looks for either.
  if (plain === 'value' && sheet === 'survey') return 'name';
  if (ofLanguage === '') return spellings.get(plain) ?? plain;
  return spellings.get(`${plain}::${ofLanguage.toLowerCase()}`) ?? `${spellings.get(plain) ?? plain}::${ofLanguage}`;
};

/** Names the columns with content that an import does not read. */
export function warnOfColumns({ sheet, columns, entries }: Table, isRead: (column: string) => boolean, report: Report): void {
  for (const column of columns)
    if (!isRead(column) && entries.some(({ get }) => get(column) !== ''))
      report.warn(sheet, 1, `the column "${column.slice(0, 64)}" is not taken over`);
}
