import {
  answerFault,
  boundsOf,
  fieldsOf,
  isAlwaysRequired,
  isComputed,
  isField,
  isRepeat,
  maxItemsOfRepeat,
  requirement,
  visibility,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import { writeNumber } from '../answers/read-number';
import type { Fault } from '../view';
import { valuesOf, type Read, type Values } from './values';
import { keyInItem, outerKey } from './item-keys';

/** A repeat on a page. Beside the values of the questions in its items, the page sends the number of items, under the key of the repeat. */
type Repeat = Pick<Field, 'key' | 'fields'>;

/** The questions of an item, named as they are there. */
export const questionsIn = ({ key, fields = [] }: Repeat, at: number): Field[] =>
  fields.map((field) => ({ ...field, key: keyInItem(key, at, field.key) }));

/** The fewest items that a page shows, and the most. */
export function itemBounds(repeat: Field, isRequired: boolean): { least: number; most: number } {
  const { min = 0, max = maxItemsOfRepeat } = boundsOf(repeat);
  const most = Math.min(max, maxItemsOfRepeat);
  return { least: Math.min(Math.max(min, isRequired ? 1 : 0), most), most };
}

/** The number of items that a page had. */
export function itemsEntered({ key }: Repeat, values: Values): number {
  const [count = ''] = values.get(key) ?? [];
  return /^\d{1,2}$/.test(count) ? Math.min(Number(count), maxItemsOfRepeat) : 0;
}

/** All fields whose controls a page may have, with those of the items that were entered. */
export const fieldsWithItems = (fields: readonly Field[], values: Values): Field[] =>
  fields.flatMap((field) =>
    isRepeat(field) ? [field, ...numbersTo(itemsEntered(field, values)).flatMap((at) => questionsIn(field, at))] : [field],
  );

/** The values with only these items of a repeat, in this order, which get new numbers. A number that no item had makes an empty one. */
export function withItems(repeat: Repeat, values: Values, items: readonly number[]): Map<string, readonly string[]> {
  const all = new Map([...values].filter(([key]) => outerKey(key) !== repeat.key));
  all.set(repeat.key, [String(items.length)]);
  items.forEach((from, to) => {
    for (const { key } of repeat.fields ?? []) {
      const given = values.get(keyInItem(repeat.key, from, key));
      if (given) all.set(keyInItem(repeat.key, to, key), given);
    }
  });
  return all;
}

/** The same with a further item, in which questions have their defaults. It stays as it is where there are as many as it can have. */
export function withAnotherItem(repeat: Field, values: Values, language: string): Values {
  const count = itemsEntered(repeat, values);
  if (count >= itemBounds(repeat, false).most) return values;
  const all = withItems(repeat, values, numbersTo(count + 1));
  for (const [key, initial] of initialItem(repeat, count, language)) all.set(key, initial);
  return all;
}

/** The values of the questions in an item that nobody has touched. */
const initialItem = (repeat: Field, at: number, language: string): [string, string[]][] =>
  questionsIn(repeat, at).flatMap((question) => {
    const initial = initialValues(question, language);
    return initial.length > 0 ? [[question.key, initial]] : [];
  });

export const withoutItem = (repeat: Field, values: Values, without: number): Values =>
  withItems(
    repeat,
    values,
    numbersTo(itemsEntered(repeat, values)).filter((at) => at !== without),
  );

/** An untouched repeat has as many items as it must have: whoever has none to add is not asked about one. */
export function withFirstItems(items: readonly FormItem[], values: Values, language: string): Values {
  const all = new Map(values);
  for (const repeat of fieldsOf(items).filter(isRepeat)) {
    const { least } = itemBounds(repeat, isAlwaysRequired(repeat));
    if (least > 0) all.set(repeat.key, [String(least)]);
    for (const at of numbersTo(least)) for (const [key, initial] of initialItem(repeat, at, language)) all.set(key, initial);
  }
  return all;
}

/** The values of the controls of a question that nobody has touched. */
export const initialValues = (field: Field, language: string): string[] =>
  valuesOf(field.default, (number) => writeNumber(number, language));

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

export const repeatOf = (items: readonly FormItem[], key: string): Field | undefined =>
  fieldsOf(items).find((field) => field.key === key && isRepeat(field));

/** Whether nobody has answered anything in the item. Computed answers do not count: nobody gave them. */
export const isEmptyItem = ({ fields = [] }: Repeat, answers: Readonly<Record<string, unknown>>): boolean =>
  !fields.some((field) => !isComputed(field) && Object.hasOwn(answers, field.key));

/** The items in which something is answered. */
export const answeredItems = (repeat: Repeat, { inItems }: Pick<Read, 'inItems'>): number[] =>
  (inItems.get(repeat.key) ?? []).flatMap(({ answers }, at) => (isEmptyItem(repeat, answers) ? [] : [at]));

/** The values without the items in which nothing is answered. Those that are left have the numbers that faults name. */
export function withoutEmptyItems(items: readonly FormItem[], values: Values, read: Pick<Read, 'inItems'>): Values {
  return items.reduce((all, item) => {
    const given = isField(item) ? read.inItems.get(item.key) : undefined;
    if (!isField(item) || !given) return all;
    const answered = answeredItems(item, read);
    return answered.length < given.length ? withItems(item, all, answered) : all;
  }, values);
}

/**
 * The faults, with those of the questions that the first missing item of a repeat must have in place of the one that says that items are
 * missing: a page shows that item, only that it is empty.
 */
export function faultsInMissingItems(items: readonly FormItem[], faults: readonly Fault[], answers: Read['answers']): Fault[] {
  return faults.flatMap((fault) => {
    const repeat = /^(?:required|too_few_items)$/.test(fault.code) ? repeatOf(items, fault.key) : undefined;
    const given = answers[fault.key];
    const inItem = repeat ? requiredIn(repeat, Array.isArray(given) ? given.length : 0, answers) : [];
    return inItem.length > 0 ? inItem : [fault];
  });
}

function requiredIn(repeat: Field, at: number, answers: Read['answers']): Fault[] {
  const [isShown, isRequired] = [visibility(), requirement()];
  return questionsIn(repeat, at).flatMap((question) =>
    isShown(question, answers) && isRequired(question, answers) ? [{ key: question.key, ...answerFault('required') }] : [],
  );
}
