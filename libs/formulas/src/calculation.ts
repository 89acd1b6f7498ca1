import { isField, type Field, type FormItem } from '@sheaf/contracts';
import { checkFormula, type Formula } from './check';
import { evaluate, type Facts } from './evaluate';

/** Of the items of a form, for as long as they are known: each submission is computed with them. */
const known = new WeakMap<readonly FormItem[], ReadonlyMap<string, Formula>>();

/** The formulas of a form by the keys of their fields. One that is wrong, which only a draft can have, is left out. */
export function formulasOf(items: readonly FormItem[]): ReadonlyMap<string, Formula> {
  const found = known.get(items);
  if (found) return found;
  const earlier = new Map<string, Field>();
  const formulas = new Map<string, Formula>();
  for (const item of items) {
    if (!isField(item)) continue;
    if (item.formula !== undefined) {
      const { formula } = { formula: undefined, ...checkFormula(item.formula, (key) => earlier.get(key)) };
      if (formula) formulas.set(item.key, formula);
    }
    earlier.set(item.key, item);
  }
  known.set(items, formulas);
  return formulas;
}

/** The answer to a calculated field; undefined if it is empty. */
export function calculated(items: readonly FormItem[], { key }: Pick<Field, 'key'>, facts: Facts): ReturnType<typeof evaluate> {
  const formula = formulasOf(items).get(key);
  return formula && evaluate(formula, facts);
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
