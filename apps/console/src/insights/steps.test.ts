import { nameOfStep, sumOfSteps } from './steps';

const say = { pageNumber: (number: number) => `Page ${number}`, checkPage: 'Check of the answers' };

it('calls a page by its label, and by its number if it has none', () => {
  expect(nameOfStep({ kind: 'page', label: 'About you' }, 1, say)).toBe('About you');
  expect(nameOfStep({ kind: 'page' }, 0, say)).toBe('Page 1');
  expect(nameOfStep({ kind: 'page', label: ' ' }, 1, say)).toBe('Page 2');
  expect(nameOfStep({ kind: 'check' }, 2, say)).toBe('Check of the answers');
});

it('adds up the steps of a period that came in several answers', () => {
  const steps = (...counts: [reached: number, wentOn: number][]) =>
    counts.map(([reached, went_on]) => ({ kind: 'page' as const, reached, went_on }));
  expect(sumOfSteps([{ steps: steps([8, 5], [5, 0]) }, { steps: steps([2, 1], [1, 1]) }])).toEqual(steps([10, 6], [6, 1]));
  expect(sumOfSteps([{}, {}])).toBeUndefined();
});
