import { isField, isMet, isOtherText, keysIn, Look, optionConditions, type Field, type FormElement, type FormItem } from '@sheaf/contracts';
import { localItem, type LocalText } from '../words/localized';

/**
 * An item as a page shows it: without the options that answers of earlier pages hide. Options that depend on answers of the same page stay, with
 * their conditions, for its script to follow. Without the script all of them can be chosen, and the server says what does not fit.
 * @param look keeps what the other items of the page need again
 */
export function offeredItem(
  item: Field | FormElement,
  answers: Readonly<Record<string, unknown>>,
  isOnPage: (key: string) => boolean,
  look = new Look(),
): Field | FormElement {
  const conditions = isField(item) ? optionConditions(item) : undefined;
  if (!conditions || !isField(item)) return item;
  const met = new Set<string>();
  const open = new Set<string>();
  for (const { condition, values } of conditions.groups) {
    const found = [...keysIn(condition)].some(isOnPage) ? open : isMet(condition, answers, look) ? met : undefined;
    if (found) for (const value of values) found.add(value);
  }
  const options = (item.options ?? []).flatMap((option) => {
    if (option.visible_if === undefined || open.has(option.value)) return [option];
    return met.has(option.value) ? [{ value: option.value, label: option.label }] : [];
  });
  return options.length > 0 ? { ...item, options } : { ...item, options, visible_if: never };
}

/**
 * The options that somebody chose and that a page leaves out, because answers of earlier pages have changed since. They go with the page,
 * which says so.
 */
export function removedOptions(
  item: Field | FormElement,
  offered: Field | FormElement,
  values: readonly string[],
  language: string,
  authorLanguage: string,
): LocalText[] {
  if (!isField(item) || !isField(offered) || item.options === offered.options) return [];
  const left = new Set(offered.options?.map(({ value }) => value));
  return localItem(item, language, authorLanguage).options.flatMap(({ value, label }) =>
    values.includes(value) && !left.has(value) ? [label] : [],
  );
}

/** The condition of a question that has nothing to choose, whatever is answered on its page. */
const never = { any: [] };

/**
 * Whether a page has the item in sight: what is shown, and the text of *Other* with its choice. Without the script it can be filled in at once; the
 * script shows it once *Other* is chosen.
 */
export const isInSight = (item: FormItem, index: number, shown: readonly boolean[]): boolean =>
  shown[index] === true || (isOtherText(item) && shown[index - 1] === true);
