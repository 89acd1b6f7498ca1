import { percentile } from './percentile';

it.each([
  [[5], 0.5, 5],
  [[4, 1, 3, 2], 0.5, 2],
  [[4, 1, 3, 2], 0.99, 4],
  [Array.from({ length: 1000 }, (_, n) => n + 1), 0.99, 990],
])('the percentile of %j at %d is %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

it('the percentile of no values is not a number', () => {
  expect(percentile([], 0.5)).toBeNaN();
});
