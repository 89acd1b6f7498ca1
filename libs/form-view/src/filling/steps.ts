import { isHidden, keysOfCheck, type FormCheck, type Step } from '@sheaf/contracts';
import { outerKey } from './item-keys';

export { stepsOf, type Placed, type Step } from '@sheaf/contracts';

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
