import { FormCheck, type Condition, type FormItem } from '@sheaf/contracts';
import { isVisible, stepOfCheck, stepOfField, stepsOf } from './steps';

const field = (key: string, type: 'short_text' | 'hidden' = 'short_text'): FormItem => ({ key, label: key, type, required: false });
const pageElement = (label: string): FormItem => ({ type: 'page', label });

const check = (condition: Condition, at: string) => FormCheck.parse({ type: 'check', if: condition, message: 'No', at });

const labels = (items: readonly FormItem[]) =>
  stepsOf(items).map(({ page, items: placed }) => [page?.label, ...placed.map(({ index }) => index)]);

it('has one step without page elements', () => {
  expect(labels([field('a'), field('b')])).toEqual([[undefined, 0, 1]]);
  expect(labels([])).toEqual([[undefined]]);
});

it('begins a step with each page element', () => {
  expect(labels([field('a'), pageElement('Two'), field('b'), field('c'), pageElement('Three')])).toEqual([
    [undefined, 0],
    ['Two', 2, 3],
    ['Three'],
  ]);
  expect(labels([pageElement('One'), field('a')])).toEqual([['One', 1]]);
});

it('shows a step only if there is something to see on it', () => {
  const [one, two] = stepsOf([field('a'), pageElement('Two'), field('b', 'hidden')]);
  expect(one && isVisible(one, [true, true, true])).toBe(true);
  expect(one && isVisible(one, [false, true, true])).toBe(false);
  expect(two && isVisible(two, [true, true, true])).toBe(false);
});

it('finds the step of a field', () => {
  const steps = stepsOf([field('a'), pageElement('Two'), field('b')]);
  expect(stepOfField(steps, 'b')).toBe(steps[1]);
  expect(stepOfField(steps, 'c')).toBeUndefined();
});

describe('a check', () => {
  const items = [field('a'), pageElement('Two'), field('b'), pageElement('Three'), field('c'), check({ key: 'a', equals: 'x' }, 'b')];

  it('is on no step', () => {
    expect(labels(items)).toEqual([
      [undefined, 0],
      ['Two', 2],
      ['Three', 4],
    ]);
  });

  it('is due on the step of the last question that it names', () => {
    const steps = stepsOf(items);
    expect(stepOfCheck(steps, check({ key: 'a', equals: 'x' }, 'b'))).toBe(steps[1]);
    expect(stepOfCheck(steps, check({ key: 'a', equals: { key: 'c' } }, 'b'))).toBe(steps[2]);
  });
});
