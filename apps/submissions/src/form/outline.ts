import { hash } from 'node:crypto';
import { keysOnSteps, stepsOf, type FormItem } from '@sheaf/contracts';

/** The distribution of the questions of a version over its pages. */
export interface Outline {
  /** The same for versions that have the same questions on the same pages, whatever their texts are. */
  name: string;
  /** The labels of the steps; undefined for one that no page element begins. */
  labels: readonly (string | undefined)[];
}

export function outlineOf(items: readonly FormItem[]): Outline {
  const name = hash('sha256', JSON.stringify(keysOnSteps(items)), 'base64url').slice(0, 22);
  return { name, labels: stepsOf(items).map(({ page }) => page?.label) };
}
