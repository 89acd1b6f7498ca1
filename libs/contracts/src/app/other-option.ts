import { escapedPipes, truncatePiped } from '../texts/piping';
import type { Field, FormItem, InnerField } from './draft';

/** The value in an answer of the option *Other*. */
export const otherValue = 'other';

export const otherKey = (key: string): string => `${key}_other`;

const maxLabel = 500;

/** The options that a field offers, with *Other* as the last one. */
export function offeredOptionsOf({ options, other }: Pick<Field, 'options' | 'other'>): Field['options'] {
  if (!other || !options) return options;
  const given = options.find(({ value }) => value === otherValue);
  return [...options.filter(({ value }) => value !== otherValue), { ...given, value: otherValue, label: other.label }];
}

/** Whether it is the field that was made for the text of *Other*. */
export function isOtherText(item: FormItem): boolean {
  const { key, other_of: of } = item as Partial<Field>;
  return of !== undefined && key === otherKey(of);
}

type WithOther = Field & Required<Pick<Field, 'options' | 'other'>>;

function hasOther(item: FormItem): item is WithOther {
  const { options, other } = item as Partial<Field>;
  return other !== undefined && options !== undefined;
}

const hasFields = (item: FormItem): item is Field & Required<Pick<Field, 'fields'>> => (item as Partial<Field>).fields !== undefined;

/**
 * The items with an option *Other* for each choice that has one, and a field for its text behind the choice. These are stored, and whoever takes, shows or
 * counts answers needs no more: a release that does not know *Other* takes the same answers. An earlier text of *Other* is made anew.
 */
export const withOthers = (items: readonly FormItem[]): FormItem[] =>
  items.flatMap((item): FormItem[] => {
    if (isOtherText(item)) return [];
    if (hasFields(item)) return [{ ...item, fields: withOthers(item.fields) as InnerField[] }];
    return hasOther(item) ? [{ ...item, options: offeredOptionsOf(item) }, textOf(item, item.other.label)] : [item];
  });

/** The items as authors edit them: without what `withOthers` adds. */
export const withoutOthers = (items: readonly FormItem[]): FormItem[] =>
  items.flatMap((item): FormItem[] => {
    if (isOtherText(item)) return [];
    if (hasFields(item)) return [{ ...item, fields: withoutOthers(item.fields) as InnerField[] }];
    return hasOther(item) ? [{ ...item, options: item.options.filter(({ value }) => value !== otherValue) }] : [item];
  });

/** The place in these items of each of those that `withOthers` makes of them; a text of *Other* has that of its choice. */
export function placesGiven(given: readonly FormItem[]): { place: number; isOtherText: boolean }[] {
  return given.flatMap((item, place) => {
    if (isOtherText(item)) return [];
    return [{ place, isOtherText: false }, ...(hasOther(item) ? [{ place, isOtherText: true }] : [])];
  });
}

/** The text has the words of the option before those of the question, because it stands by itself in lists and exports. */
function textOf({ key, label, translations = {} }: Field, other: string): Field {
  const labelled = (option: string, question: string) => truncatePiped(`${escapedPipes(option)}: ${question}`, maxLabel).trim();
  const chosen = { key, equals: otherValue };
  const translated = Object.entries(translations).flatMap(([language, { label: question, options = {} }]) => {
    const option = Object.hasOwn(options, otherValue) ? options[otherValue] : undefined;
    return option === undefined && question === undefined ? [] : [[language, { label: labelled(option ?? other, question ?? label) }]];
  });
  return {
    key: otherKey(key),
    label: labelled(other, label),
    type: 'short_text',
    required: true,
    visible_if: chosen,
    required_if: chosen,
    other_of: key,
    ...(translated.length > 0 ? { translations: Object.fromEntries(translated) as Field['translations'] } : {}),
  };
}
