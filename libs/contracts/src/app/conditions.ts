import type { Field, FormElement, FormItem } from './draft';

/** The condition of a field or element. */
export type Condition = NonNullable<FormItem['visible_if']>;

/** Whether the answers meet the condition. An answer to a multiple choice equals each of its values. */
export function isMet(condition: Condition, answers: Readonly<Record<string, unknown>>): boolean {
  const { equals, not_equals, in: among, answered } = condition;
  // `constructor` is a valid key.
  const answer = Object.hasOwn(answers, condition.key) ? answers[condition.key] : undefined;
  const chosen: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  if (equals !== undefined) return chosen.includes(equals);
  if (not_equals !== undefined) return !chosen.includes(not_equals);
  if (among !== undefined) {
    const values = new Set<unknown>(among);
    return chosen.some((value) => values.has(value));
  }
  return (answer !== undefined) === answered;
}

/** The facts of a field or element that a condition needs. */
export type Conditional = Pick<Field | FormElement, 'type' | 'visible_if'>;

/**
 * Decides in display order which fields and elements are shown. The condition of a page or section also applies to what follows it, up to
 * the next one. It has no dependencies, because the script of the hosted form runs it too.
 * @returns a function to call once for each item, with the answers to the items before it.
 */
export function visibility(): (item: Conditional, answers: Readonly<Record<string, unknown>>) => boolean {
  let page = true;
  let section = true;
  return ({ type, visible_if }, answers) => {
    const isShown = visible_if === undefined || isMet(visible_if, answers);
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
