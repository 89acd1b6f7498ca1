import fc from 'fast-check';
import { rangeOf } from './counted-range';
import { summaryOf } from './ranges';

const counted = (numbers: readonly number[]) => numbers.map((number) => ({ range: rangeOf(number), submissions: 1 }));
const numbers = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const within = (number: number) => Math.sign(number) * (Math.abs(number) < 1e-6 ? 0 : Math.min(Math.abs(number), 1e15));

it.each([
  [36, 36],
  [365, 360],
  [0.3, 0.3],
  [3.65, 3.6],
  [100, 100],
  [0, 0],
  [-0, 0],
  [1e-9, 0],
  [-36, -36],
  [-36.5, -37],
  [-99.5, -100],
  [-100, -100],
  [-100.5, -110],
  [-1, -1],
  [2e300, 1e15],
])('counts %d as %d', (number, low) => {
  expect(Number(rangeOf(number))).toBe(low);
});

it('rounds down, by less than a tenth of the number', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const low = Number(rangeOf(number));
      expect(low).toBeLessThanOrEqual(within(number));
      expect(within(number) - low).toBeLessThanOrEqual(Math.abs(within(number)) / 10);
    }),
  );
});

it('gives numbers in the order of their ranges', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(Number(rangeOf(low))).toBeLessThanOrEqual(Number(rangeOf(high)));
    }),
  );
});

it('shows at most 20 ranges of equal width, each with exactly the numbers that are in it', () => {
  fc.assert(
    fc.property(fc.array(numbers.map(within), { minLength: 1, maxLength: 30 }), (several) => {
      const { ranges } = summaryOf(counted(several), false) ?? { ranges: [] };
      expect(ranges.length).toBeGreaterThan(0);
      expect(ranges.length).toBeLessThanOrEqual(20);
      for (const { from, to, submissions } of ranges)
        expect(several.filter((number) => number >= from && number < to)).toHaveLength(submissions);
    }),
  );
});

it('adds up: parts of the numbers give the ranges of all of them', () => {
  const merged = summaryOf([...counted([1, 2, 3]), ...counted([2, 2, 40])], true);
  expect(merged).toEqual(summaryOf(counted([1, 2, 3, 2, 2, 40]), true));
});

it('tells the quartiles of the counted numbers', () => {
  const ages = Array.from({ length: 100 }, (_, n) => n + 1);
  expect(summaryOf(counted(ages), true)).toMatchObject({ min: 1, lower_quartile: 25, median: 50, upper_quartile: 75, max: 100 });
  expect(summaryOf(counted([4]), true)).toMatchObject({ min: 4, lower_quartile: 4, median: 4, upper_quartile: 4, max: 4 });
  expect(summaryOf([], true)).toBeUndefined();
});

it('shows whole numbers in ranges of whole numbers', () => {
  expect(summaryOf(counted([1, 5, 5]), true)?.ranges).toEqual([
    { from: 1, to: 2, submissions: 1 },
    { from: 2, to: 3, submissions: 0 },
    { from: 3, to: 4, submissions: 0 },
    { from: 4, to: 5, submissions: 0 },
    { from: 5, to: 6, submissions: 2 },
  ]);
});

it('shows every step of a rating, also those that nobody chose, and its mean', () => {
  const summary = summaryOf(counted([2, 4, 4]), true, { scale: { min: 1, max: 5, hasScore: false } });
  expect(summary?.ranges.map(({ from, submissions }) => [from, submissions])).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 2],
    [5, 0],
  ]);
  expect(summary).toMatchObject({ min: 2, max: 4, mean: 3.33 });
  expect(summary).not.toHaveProperty('score');
  // Answers from before the scale was changed.
  expect(summaryOf(counted([9]), true, { scale: { min: 1, max: 5, hasScore: false } })?.ranges).toHaveLength(9);
});

it('without the digits of numbers, gives a mean only of those that are counted as they are, and shows longer scales in ranges', () => {
  const scale = { min: 0, max: 200, hasScore: false };
  expect(summaryOf(counted([99, 98]), true, { scale })?.mean).toBe(98.5);
  expect(summaryOf(counted([4, 5]), true)?.mean).toBe(4.5);
  expect(summaryOf(counted([4.25, 5]), false)).not.toHaveProperty('mean');
  const summary = summaryOf(counted([99, 109]), true, { scale });
  expect(summary).not.toHaveProperty('mean');
  expect(summary?.ranges.length).toBeLessThanOrEqual(20);
});

it('makes the Net Promoter Score of the steps of its scale', () => {
  const scale = { min: 0, max: 10, hasScore: true };
  expect(summaryOf(counted([0, 6, 7, 8, 9, 10, 10]), true, { scale })?.score).toEqual({
    value: 14.3,
    promoters: 3,
    passives: 2,
    detractors: 2,
  });
  expect(summaryOf(counted([0, 11]), true, { scale })?.score).toEqual({ value: -100, promoters: 0, passives: 0, detractors: 1 });
});
