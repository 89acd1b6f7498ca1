import type { FormItem } from '@sheaf/client';
import { answerTraitsOf, traitsOf } from '@sheaf/contracts';
import { fieldsOf, type AnswerField } from './fields';

/** A column of the list: a fact about the submission, or the answers to a field. */
export type Column = { id: (typeof facts)[number] | typeof fillTime; field?: undefined } | { id: string; field: AnswerField };

/** How a person arranged the columns of a form. Fields that are not mentioned follow at the end, as new ones do. A column to be chosen is shown if the order has it. */
export interface Layout {
  order: readonly string[];
  hidden: readonly string[];
  /** In pixels. */
  widths: Readonly<Record<string, number>>;
}

export const noLayout: Layout = { order: [], hidden: [], widths: {} };

export const minWidth = 72;
export const maxWidth = 640;
const step = 40;

const facts = ['received', 'status', 'assignee'] as const;
/** Most people do not need it: it is there for those who choose it. */
export const fillTime = 'fill_seconds';

/** Keys begin with a letter, so that the prefix keeps a field named "status" apart. */
export const columnOf = (field: AnswerField): Column => ({ id: `answers.${field.key}`, field });

/**
 * All columns of the form's current version, in the person's order, and at the end what can be chosen. The first answer mostly says who it is from: it
 * comes first.
 */
export function arranged(items: readonly FormItem[], { order }: Layout): Column[] {
  const [first, ...fields] = fieldsOf(items).map(columnOf);
  const columns: Column[] = [...(first ? [first] : []), ...facts.map((id) => ({ id })), ...fields, { id: fillTime }];
  const place = new Map(order.map((id, index) => [id, index]));
  return columns
    .map((column, index) => ({ column, place: place.get(column.id) ?? order.length + index }))
    .sort((a, b) => a.place - b.place)
    .map(({ column }) => column);
}

export const isShown = ({ order, hidden }: Layout, id: string): boolean => (id === fillTime ? order.includes(id) : !hidden.includes(id));

export const shown = (columns: readonly Column[], layout: Layout): Column[] => columns.filter(({ id }) => isShown(layout, id));

/** The columns of the list that a card shows, by their indexes: the first one, the facts, and one more answer. */
export function onCard(columns: readonly Column[]): number[] {
  const answer = columns.findIndex(({ field }, index) => index > 0 && field !== undefined);
  return columns.flatMap(({ id }, index) => (index === 0 || index === answer || facts.some((fact) => fact === id) ? [index] : []));
}

const usualWidths = { narrow: 110, usual: 180, wide: 260 };

export function widthOf({ id, field }: Column, { widths }: Layout): number {
  const width = widths[id];
  if (width !== undefined) return width;
  if (id === 'received') return 150;
  if (field === undefined) return 140;
  return traitsOf(field).isLong ? usualWidths.wide : usualWidths[answerTraitsOf(field).width ?? 'usual'];
}

export const resized = (layout: Layout, id: string, width: number): Layout => ({
  ...layout,
  widths: { ...layout.widths, [id]: Math.round(Math.min(maxWidth, Math.max(minWidth, width))) },
});

export const stepped = (layout: Layout, column: Column, direction: 1 | -1): Layout =>
  resized(layout, column.id, widthOf(column, layout) + direction * step);

/** The order of columns without those that were not chosen. */
const orderOf = (columns: readonly Column[], { order }: Layout): string[] =>
  columns.map(({ id }) => id).filter((id) => id !== fillTime || order.includes(id));

/** Moves a column to the place of another one. */
export function moved(columns: readonly Column[], layout: Layout, id: string, target: string): Layout {
  const ids = orderOf(columns, layout);
  const [from, to] = [ids.indexOf(id), ids.indexOf(target)];
  if (from < 0 || to < 0 || from === to) return layout;
  return { ...layout, order: ids.toSpliced(from, 1).toSpliced(to, 0, id) };
}

/** Shows a column that was hidden or not chosen, and hides one that was shown. */
export function toggled(columns: readonly Column[], layout: Layout, id: string): Layout {
  const without = (ids: readonly string[]) => ids.filter((each) => each !== id);
  const { order, hidden } = layout;
  if (id === fillTime) return { ...layout, order: order.includes(id) ? without(order) : [...orderOf(columns, layout), id] };
  return { ...layout, hidden: hidden.includes(id) ? without(hidden) : [...hidden, id] };
}

/** A layout as it was stored: by an earlier version of the console, perhaps. */
export function readLayout(stored: unknown): Layout {
  const { order, hidden, widths } = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []);
  const numbers =
    typeof widths === 'object' && widths !== null ? Object.entries(widths).filter(([, width]) => typeof width === 'number') : [];
  return { order: texts(order), hidden: texts(hidden), widths: Object.fromEntries(numbers) };
}
