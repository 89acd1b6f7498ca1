import type { Report } from './report';
import type { Row } from './workbook';

/** A row below the header, with its texts by the names of the columns. */
export interface Entry {
  row: number;
  get: (...columns: readonly string[]) => string;
}

export interface Table {
  sheet: string;
  /** As written in the header, in lower case but for what follows a `::`. */
  columns: readonly string[];
  entries: readonly Entry[];
}

/** A sheet whose first row names the columns. */
export function tableOf(sheet: string, [header, ...rows]: readonly Row[]): Table {
  const columns = new Map([...(header?.cells ?? [])].map(([column, name]) => [nameOf(name), column]));
  return {
    sheet,
    columns: [...columns.keys()],
    entries: rows.map(({ number, cells }) => ({
      row: number,
      get: (...names) => names.map((name) => cells.get(columns.get(name) ?? -1) ?? '').find((text) => text !== '') ?? '',
    })),
  };
}

/** Longer names are none that an import knows. */
const maxName = 200;

const nameOf = (header: string): string => {
  const [name = '', ...language] = header.slice(0, maxName).split(/\s*::?\s*/);
  const plain = name.trim().toLowerCase().replace(/\s+/g, '_');
  return language.length === 0 ? plain : `${plain}::${language.join(':').trim()}`;
};

/** Names the columns with content that an import does not read. */
export function warnOfColumns({ sheet, columns, entries }: Table, isRead: (column: string) => boolean, report: Report): void {
  for (const column of columns)
    if (!isRead(column) && entries.some(({ get }) => get(column) !== ''))
      report.warn(sheet, 1, `the column "${column.slice(0, 64)}" is not taken over`);
}
