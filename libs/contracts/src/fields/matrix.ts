import type { Field } from '../app/draft';

/** The facts of a matrix on which reading an answer depends: the values of its rows and columns, in their order. */
export interface MatrixForm {
  rows: readonly string[];
  columns: readonly string[];
  /** Whether an answer may have several columns for a row. */
  several: boolean;
}

interface Choice {
  value: string;
  label: string;
}

interface MatrixField {
  rows?: readonly Choice[] | undefined;
  columns?: readonly Choice[] | undefined;
  multiple?: boolean | undefined;
}

const valuesOf = (choices: readonly Choice[] = []): string[] => choices.map(({ value }) => value);

export const matrixOf = ({ rows, columns, multiple }: MatrixField): MatrixForm => ({
  rows: valuesOf(rows),
  columns: valuesOf(columns),
  several: multiple === true,
});

/** A row by itself: a choice of the columns. */
export const fieldOfRow = (field: Field): Field => {
  const { rows: _, columns = [], multiple = false, translations = {}, ...alike } = field;
  const translated = Object.entries(translations).map(([language, { columns: options }]) => [language, { options }]);
  return {
    ...alike,
    type: multiple ? 'multi_select' : 'select',
    options: columns,
    translations: Object.fromEntries(translated) as Field['translations'],
  };
};

/** How many buttons or boxes a page has for it. */
export const cellsOf = ({ rows = [], columns = [] }: MatrixField): number => rows.length * columns.length;

/** A column that was chosen for a row, as one text: the value of its control. Both values may have any characters. */
export const cellText = (row: string, column: string): string => JSON.stringify([row, column]);

/** Undefined for any other text. */
export function cellIn(text: string): readonly [row: string, column: string] | undefined {
  try {
    const [row, column, ...others] = JSON.parse(text) as unknown[];
    return typeof row === 'string' && typeof column === 'string' && others.length === 0 ? [row, column] : undefined;
  } catch {
    return undefined;
  }
}

/** The columns that an answer has for a row, if it is one. */
export function chosenIn(answer: unknown, row: string): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !Object.hasOwn(answer, row)) return [];
  return [(answer as Readonly<Record<string, unknown>>)[row]].flat().filter((each) => typeof each === 'string');
}

/** A row that is answered, with the columns that are chosen for it. Those that the field no longer has are without a label. */
export interface ChosenRow<Label> {
  value: string;
  label: Label | undefined;
  columns: { value: string; label: Label | undefined }[];
}

/** An answer in the order of the rows, whatever that of its names: a database keeps none, and names that are numbers come first. */
export function chosenRows<Label>(
  rows: readonly { value: string; label: Label }[],
  columns: readonly { value: string; label: Label }[],
  answer: unknown,
): ChosenRow<Label>[] {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return [];
  const labelsOf = (choices: readonly { value: string; label: Label }[]) => new Map(choices.map(({ value, label }) => [value, label]));
  const labels = labelsOf(columns);
  const ofRows = labelsOf(rows);
  const unknown = Object.keys(answer).filter((row) => !ofRows.has(row));
  return [...ofRows.keys(), ...unknown].flatMap((row) => {
    const chosen = chosenIn(answer, row).map((value) => ({ value, label: labels.get(value) }));
    return chosen.length === 0 ? [] : [{ value: row, label: ofRows.get(row), columns: chosen }];
  });
}

/** An answer as the texts of the cells that are chosen. */
export const cellsIn = ({ rows = [], columns = [] }: MatrixField, answer: unknown): string[] =>
  chosenRows(rows, columns, answer).flatMap((row) => row.columns.map((column) => cellText(row.value, column.value)));

/** The answer in the cells that are chosen; undefined without any. Two columns for a row that takes one are left, and refused. */
export function matrixAnswer({ several }: Pick<MatrixForm, 'several'>, cells: readonly string[]): Record<string, unknown> | undefined {
  const chosen = new Map<string, string[]>();
  for (const text of cells) {
    const [row, column] = cellIn(text) ?? [];
    if (row === undefined || column === undefined) continue;
    const known = chosen.get(row);
    if (known) known.push(column);
    else chosen.set(row, [column]);
  }
  if (chosen.size === 0) return undefined;
  return Object.fromEntries([...chosen].map(([row, columns]) => [row, several || columns.length > 1 ? columns : columns[0]]));
}

/** In the order of rows and columns, without rows that are empty; without any, it is no answer. Unknown rows are left, and refused. */
export function normalMatrix({ rows, columns, several }: MatrixForm, answer: object): object | undefined {
  const byOrder = (order: readonly string[]) => {
    const places = new Map<unknown, number>(order.map((value, place) => [value, place]));
    return (value: unknown) => places.get(value) ?? order.length;
  };
  const rowAt = byOrder(rows);
  const columnAt = byOrder(columns);
  const given = Object.entries(answer)
    .filter(([, chosen]: [string, unknown]) => !isEmpty(chosen))
    .sort(([a], [b]) => rowAt(a) - rowAt(b))
    .map(([row, chosen]: [string, unknown]) => [
      row,
      several && Array.isArray(chosen) ? [...(chosen as unknown[])].sort((a, b) => columnAt(a) - columnAt(b)) : chosen,
    ]);
  return given.length === 0 ? undefined : (Object.fromEntries(given) as object);
}

const isEmpty = (chosen: unknown): boolean =>
  chosen === null || chosen === undefined || chosen === '' || (Array.isArray(chosen) && chosen.length === 0);

/** The rows that lack an answer. */
export const missingRows = ({ rows = [] }: MatrixField, answer: unknown): NonNullable<Field['rows']> =>
  rows.filter(({ value }) => chosenIn(answer, value).length === 0);

/** The most characters of the rows that a fault names, which travels in the headers of an answer. One row is named however long it is. */
const maxNamed = 100;

/** The parameters of the fault of missing rows: the first of their values, as many as it can name. */
export function rowsNamed(missing: readonly string[]): { rows: string; more: number } {
  let length = 0;
  const named = missing.filter((value, at) => (length += value.length) <= maxNamed || at === 0);
  return { rows: JSON.stringify(named), more: missing.length - named.length };
}
