import { isHidden, isOnPages, keysOfCheck, type Field, type FormCheck, type FormElement, type FormItem } from '@sheaf/contracts';
import { outerKey } from './item-keys';

/** An item with its place in the form, which names it in the page. */
export interface Placed {
  index: number;
  item: Field | FormElement;
}

/** The part of a form that a respondent sees at once: the items between two `page` elements. */
export interface Step {
  /** The element that begins the step; the first step may have none. */
  page: FormElement | undefined;
  items: readonly Placed[];
}

/** Checks and endings are on no step. A form without `page` elements has a single step. */
export function stepsOf(items: readonly FormItem[]): readonly Step[] {
  const steps: { page: FormElement | undefined; items: Placed[] }[] = [];
  items.forEach((item, index) => {
    if (item.type === 'page') steps.push({ page: item, items: [] });
    else if (isOnPages(item)) {
      if (steps.length === 0) steps.push({ page: undefined, items: [] });
      steps.at(-1)?.items.push({ index, item });
    }
  });
  return steps.length > 0 ? steps : [{ page: undefined, items: [] }];
}

/** Whether there is anything to see on the step. */
export const isVisible = (step: Step, shown: readonly boolean[]): boolean =>
  step.items.some(({ index, item }) => shown[index] === true && !isHidden(item));

/** The key may be that of a question in an item. */
export const stepOfField = (steps: readonly Step[], key: string): Step | undefined =>
  steps.find(({ items }) => items.some(({ item }) => 'key' in item && item.key === outerKey(key)));

/** The step on which the last of the questions stands that the check names: before, there is no answer to refuse. */
export const stepOfCheck = (steps: readonly Step[], check: FormCheck): Step | undefined => {
  const keys = keysOfCheck(check);
  return steps.findLast(({ items }) => items.some(({ item }) => 'key' in item && keys.has(item.key)));
};
