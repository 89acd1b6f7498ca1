import type { FormInsights, StepCount } from '@sheaf/client';
import { wordedPipes } from '@sheaf/contracts';

/** A page by its label, or by its number if it has none. */
export function nameOfStep(
  { kind, label }: Pick<StepCount, 'kind' | 'label'>,
  at: number,
  say: { pageNumber: (number: number) => string; checkPage: string },
): string {
  if (kind === 'check') return say.checkPage;
  return label === undefined || label.trim() === '' ? say.pageNumber(at + 1) : wordedPipes(label);
}

/** The steps of a period that came in several answers, all of the same pages. */
export const sumOfSteps = (answers: readonly Pick<FormInsights, 'steps'>[]): StepCount[] | undefined =>
  answers.at(-1)?.steps?.map((step, at) => {
    const sum = (count: 'reached' | 'went_on') => answers.reduce((all, { steps }) => all + (steps?.[at]?.[count] ?? 0), 0);
    return { ...step, reached: sum('reached'), went_on: sum('went_on') };
  });
