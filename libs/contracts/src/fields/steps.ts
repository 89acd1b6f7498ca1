import type { Field, FormElement, FormItem } from '../app/draft';
import { isField, isOnPages } from './traits';

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

/** The keys of the questions on each step: the same for two versions of a form if nothing but their texts and rules differs. */
export const keysOnSteps = (items: readonly FormItem[]): string[][] =>
  stepsOf(items).map((step) => step.items.flatMap(({ item }) => (isField(item) ? [item.key] : [])));
