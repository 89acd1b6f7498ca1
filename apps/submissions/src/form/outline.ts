import { hash } from 'node:crypto';
import { isField, stepsOf, type FormItem } from '@sheaf/contracts';

/** The distribution of the questions of a version over its pages. */
export interface Outline {
  /** The same for versions that have the same questions on the same pages, whatever their texts are. */
  name: string;
  /** The labels of the steps; undefined for one that no page element begins. */
  labels: readonly (string | undefined)[];
}

export function outlineOf(items: readonly FormItem[]): Outline {
  const steps = stepsOf(items);
  const keys = steps.map((step) => step.items.flatMap(({ item }) => (isField(item) ? [item.key] : [])));
  return { name: hash('sha256', JSON.stringify(keys), 'base64url').slice(0, 22), labels: steps.map(({ page }) => page?.label) };
}
