import { cellIn } from '@sheaf/contracts';
import type { FieldLabels } from '../form/forms-view';
import type { ValueCount } from './insights.queries';

/** A row of a matrix that was answered, with the columns that were chosen for it. */
export interface RowCount {
  value: string;
  label: string | undefined;
  answered: number;
  columns: { value: string; label: string | undefined; submissions: number }[];
}

/** Rows and columns in the order of the form; those that no version has are last. */
export function rowsIn(counts: readonly ValueCount[], labels: Pick<FieldLabels, 'options' | 'parts'> | undefined): RowCount[] {
  const rows = new Map<string, { answered: number; columns: Map<string, number> }>();
  for (const { kind, item, submissions } of counts) {
    const [row, column] = (kind === 'm' || kind === 'x' ? cellIn(item) : undefined) ?? [];
    if (row === undefined || column === undefined) continue;
    const { answered, columns } = rows.get(row) ?? { answered: 0, columns: new Map<string, number>() };
    rows.set(row, {
      answered: answered + (kind === 'm' ? submissions : 0),
      columns: columns.set(column, (columns.get(column) ?? 0) + submissions),
    });
  }
  const ofRows = new Map((labels?.parts ?? []).map(({ name, label }) => [name, label]));
  const ofColumns = labels?.options ?? new Map<string, string>();
  return inOrder([...rows], [...ofRows.keys()]).map(([value, { answered, columns }]) => ({
    value,
    label: ofRows.get(value),
    answered,
    columns: inOrder([...columns], [...ofColumns.keys()]).map(([column, submissions]) => ({
      value: column,
      label: ofColumns.get(column),
      submissions,
    })),
  }));
}

function inOrder<Entry extends readonly [value: string, ...unknown[]]>(entries: readonly Entry[], order: readonly string[]): Entry[] {
  const places = new Map(order.map((value, place) => [value, place]));
  const placeOf = ([value]: Entry) => places.get(value) ?? order.length;
  return entries.toSorted((a, b) => placeOf(a) - placeOf(b) || (a[0] < b[0] ? -1 : 1));
}
