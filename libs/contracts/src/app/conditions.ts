import { folded } from '../search/folded';
import type { Condition, Operand } from './condition-shape';
import type { Field, FormElement, FormItem } from './draft';

/** A condition that compares one answer. */
export type Comparison = Condition & { key: string };

export const isComparison = (condition: Condition): condition is Comparison => condition.key !== undefined;

export type Answers = Readonly<Record<string, unknown>>;

/**
 * Whether the answers meet the condition. An answer to a multiple choice equals each of its values. Without an answer, only `answered: false`,
 * `chosen_at_most` and the negations (`not_equals`, `not_contains`, `not`) are met.
 * @param fold makes case and accents the same; one that remembers saves the work for the next condition on a long text
 */
export function isMet(condition: Condition, answers: Answers, fold = folded): boolean {
  const { all, any, not, key = '' } = condition;
  if (all) return all.every((each) => isMet(each, answers, fold));
  if (any) return any.some((each) => isMet(each, answers, fold));
  if (not) return !isMet(not, answers, fold);

  const { equals, not_equals, in: among, answered, gt, gte, lt, lte, contains, not_contains, starts_with } = condition;
  const answer = answerTo(key, answers);
  const valueOf = (operand: Operand) => (typeof operand === 'object' ? answerTo(operand.key, answers) : operand);
  const chosen: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  const isEqual = (operand: Operand) => {
    const value = valueOf(operand);
    return value !== undefined && chosen.includes(value);
  };
  const has = (part: string) => (typeof answer === 'string' ? fold(answer).includes(folded(part)) : chosen.includes(part));
  if (equals !== undefined) return isEqual(equals);
  if (not_equals !== undefined) return !isEqual(not_equals);
  if (among !== undefined) {
    const values = new Set<unknown>(among);
    return chosen.some((value) => values.has(value));
  }
  if (answered !== undefined) return (answer !== undefined) === answered;
  if (gt !== undefined) return difference(answer, valueOf(gt)) > 0;
  if (gte !== undefined) return difference(answer, valueOf(gte)) >= 0;
  if (lt !== undefined) return difference(answer, valueOf(lt)) < 0;
  if (lte !== undefined) return difference(answer, valueOf(lte)) <= 0;
  if (contains !== undefined) return has(contains);
  if (not_contains !== undefined) return !has(not_contains);
  if (starts_with !== undefined) return typeof answer === 'string' && fold(answer).startsWith(folded(starts_with));
  const { chosen_at_least, chosen_at_most } = condition;
  // A later release has made it. Taken as met or not, it would show or hide what it should not.
  if (chosen_at_least === undefined && chosen_at_most === undefined) throw new Error('unknown condition');
  const count = answer === undefined ? 0 : chosen.length;
  return count >= (chosen_at_least ?? 0) && count <= (chosen_at_most ?? count);
}

// `constructor` is a valid key.
const answerTo = (key: string, answers: Answers): unknown => (Object.hasOwn(answers, key) ? answers[key] : undefined);

/** Positive if the first is greater, negative if it is smaller; NaN, which is neither, if one of them cannot be compared. */
function difference(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string') return NaN;
  const [a, b] = [moment(one), moment(other)];
  return a > b ? 1 : a < b ? -1 : 0;
}

/** A date or time to whole seconds as it was written, in the respondent's own time zone, like the bounds of a date. */
const moment = (text: string): string => {
  const written = text.slice(0, 19).toUpperCase();
  return /(?:^|T)\d\d:\d\d$/.test(written) ? `${written}:00` : written;
};

/** The keys of the fields on whose answers the condition depends. */
export function keysIn(condition: Condition): Set<string> {
  const keys = new Set<string>();
  const look = ({ key, all = [], any = [], not, ...operators }: Condition) => {
    if (key !== undefined) keys.add(key);
    for (const operand of Object.values(operators)) if (typeof operand === 'object' && !Array.isArray(operand)) keys.add(operand.key);
    [...all, ...any, ...(not ? [not] : [])].forEach(look);
  };
  look(condition);
  return keys;
}

/** The condition with each of its comparisons as the function makes it. */
export function withComparisons(condition: Condition, change: (comparison: Comparison) => Condition): Condition {
  const { all, any, not } = condition;
  const again = (each: Condition) => withComparisons(each, change);
  if (all) return { all: all.map(again) };
  if (any) return { any: any.map(again) };
  if (not) return { not: again(not) };
  return isComparison(condition) ? change(condition) : condition;
}

/** The facts of a field or element that a condition needs. */
export type Conditional = Pick<Field | FormElement, 'type' | 'visible_if'>;

/**
 * Decides in display order which fields and elements are shown. The condition of a page or section also applies to what follows it, up to
 * the next one. It has no dependencies, because the script of the hosted form runs it too.
 * @returns a function to call once for each item, with the answers to the items before it.
 */
export function visibility(): (item: Conditional, answers: Answers) => boolean {
  let page = true;
  let section = true;
  const fold = remembered(folded);
  return ({ type, visible_if }, answers) => {
    const isShown = visible_if === undefined || isMet(visible_if, answers, fold);
    if (type === 'page') {
      page = isShown;
      section = true;
      return page;
    }
    if (type === 'section') {
      section = isShown;
      return page && section;
    }
    return page && section && isShown;
  };
}

/** Whether a field has to be answered whatever the other answers are, as far as it is shown. */
export const isAlwaysRequired = ({ required, required_if }: Requirement): boolean => required && required_if === undefined;

type Requirement = Pick<Field, 'required' | 'required_if'>;

/** Decides whether fields have to be answered. @returns a function to call for each field, with the answers to the items before it. */
export function requirement(): (field: Requirement, answers: Answers) => boolean {
  const fold = remembered(folded);
  return ({ required, required_if }, answers) => required && (required_if === undefined || isMet(required_if, answers, fold));
}

/** The parts of an item that are conditions. */
export const conditionParts = ['visible_if', 'required_if'] as const;

/** The conditions of an item, by the names of their parts. */
export const conditionsOf = (item: FormItem): [part: (typeof conditionParts)[number], condition: Condition][] =>
  conditionParts.flatMap((part) => {
    const condition = (item as Partial<Pick<Field, (typeof conditionParts)[number]>>)[part];
    return condition === undefined ? [] : [[part, condition]];
  });

/** The item with its conditions as the function makes them. */
export const withConditionsAs = <Item extends FormItem>(item: Item, change: (condition: Condition) => Condition): Item => ({
  ...item,
  ...Object.fromEntries(conditionsOf(item).map(([part, condition]) => [part, change(condition)])),
});

/** A hundred conditions may look into one text of a hundred thousand characters. */
function remembered(fold: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const result = known.get(text) ?? fold(text);
    known.set(text, result);
    return result;
  };
}
