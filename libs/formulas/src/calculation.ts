import { fieldsOfItem, isField, type Field, type FormItem } from '@sheaf/contracts';
import { checkFormula, type Formula } from './check';
import { evaluate, type Facts, type Labels } from './evaluate';

/** Of the items of a form, for as long as they are known: each submission is computed with them. */
const known = new WeakMap<readonly FormItem[], Calculation>();

interface Calculation {
  formulas: ReadonlyMap<string, Formula>;
  labels: Labels;
}

/** The formulas of a form by the keys of their fields. One that is wrong, which only a draft can have, is left out. */
export const formulasOf = (items: readonly FormItem[]): ReadonlyMap<string, Formula> => calculationOf(items).formulas;

/** The labels that some of the form's formulas ask for, such as those of a page. */
export function labelsFor(items: readonly FormItem[], formulas: readonly Formula[]): Labels {
  const asked = new Set(formulas.flatMap(labelledIn));
  return Object.fromEntries(Object.entries(calculationOf(items).labels).filter(([key]) => asked.has(key)));
}

const labelledIn = ({ names }: Formula): string[] => Object.keys(names).filter((key) => names[key]?.isLabelled);

function calculationOf(items: readonly FormItem[]): Calculation {
  const found = known.get(items);
  if (found) return found;
  const earlier = new Map<string, Field>();
  const formulas = new Map<string, Formula>();
  const all = new Map<string, Field>();
  const add = (field: Field, before: Map<string, Field>) => {
    if (field.formula !== undefined) {
      const { formula } = { formula: undefined, ...checkFormula(field.formula, (key) => before.get(key)) };
      if (formula) formulas.set(field.key, formula);
    }
    before.set(field.key, field);
    all.set(field.key, field);
  };
  for (const item of items) {
    if (!isField(item)) continue;
    const inItem = fieldsOfItem(item);
    // A field of an item is known to those of the same item alone.
    if (inItem.length > 0) {
      const before = new Map(earlier);
      for (const field of inItem) add(field, before);
    }
    add(item, earlier);
  }
  const labelled = new Set([...formulas.values()].flatMap(labelledIn));
  const labels = Object.fromEntries([...labelled].map((key) => [key, labelsOf(all.get(key))]));
  const calculation = { formulas, labels };
  known.set(items, calculation);
  return calculation;
}

const labelsOf = (field: Field | undefined) => Object.fromEntries((field?.options ?? []).map(({ value, label }) => [value, label]));

/** The answer to a calculated field; undefined if it is empty. In an item of a repeat, `answers` are those of the item with all others. */
export function calculated(
  items: readonly FormItem[],
  { key }: Pick<Field, 'key'>,
  facts: Omit<Facts, 'labels'>,
): ReturnType<typeof evaluate> {
  const { formulas, labels } = calculationOf(items);
  const formula = formulas.get(key);
  return formula && evaluate(formula, { ...facts, labels });
}

const day = { calendar: 'gregory', year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const days = new Map<string, Intl.DateTimeFormat>();

/** The day at a moment in a time zone; in UTC without one. */
export function dayIn(timeZone: string | undefined, at: Date): string {
  // There are some hundred time zones.
  const zone = timeZone ?? 'UTC';
  const format = days.get(zone) ?? new Intl.DateTimeFormat('en', { ...day, timeZone: zone });
  days.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${(parts.get('year') ?? '').padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}
