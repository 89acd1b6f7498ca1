import fc from 'fast-check';
import { rangeOf, restOf } from './counted-range';
import { exactMean } from './mean';

const counted = (items: readonly string[]) => items.map((range) => ({ range, submissions: 1 }));
const meanOf = (numbers: readonly number[]) => exactMean(counted(numbers.map(rangeOf)), counted(numbers.flatMap(restOf)));

it.each<[number, string[]]>([
  [36, []],
  [36.5, ['5e-1']],
  [12_345, ['3e2', '4e1', '5e0']],
  [12_045, ['4e1', '5e0']],
  [-36.5, ['5e-1']],
  [-12_345, ['6e2', '5e1', '5e0']],
  [-100.001, ['9e0', '9e-1', '9e-2', '9e-3']],
  [0, []],
  [-2.5e-7, []],
  [
    1.2345678901234567e-6,
    ['3e-8', '4e-9', '5e-10', '6e-11', '7e-12', '8e-13', '9e-14', '1e-16', '2e-17', '3e-18', '4e-19', '5e-20', '6e-21', '7e-22'],
  ],
  [2e300, ['beyond']],
])('counts the digits of %d that its range leaves out', (number, digits) => {
  expect(restOf(number)).toEqual(digits);
});

it('adds up to each number exactly, but for those near zero, which count as zero', () => {
  const units = (text: string): bigint => {
    const [mantissa = '', exponent = ''] = text.split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    return BigInt(`${whole}${fraction}`) * 10n ** BigInt(Number(exponent) - fraction.length + 400);
  };
  const number = fc.oneof(
    fc.integer(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
  );
  fc.assert(
    fc.property(number, (each) => {
      const sum = [rangeOf(each), ...restOf(each)].reduce((all, part) => all + units(part), 0n);
      expect(sum).toBe(Math.abs(each) < 1e-6 ? 0n : units(each.toExponential()));
      // There are few digits that a field can have.
      for (const digit of restOf(each)) expect(digit).toMatch(/^[1-9]e(\d|1[0-3]|-\d|-1\d|-2[0-2])$/);
    }),
  );
});

it.each<[number[], number]>([
  [[0.1, 0.2], 0.15],
  [[12.99, 13.01, 14], 13.33],
  [[1_234, 1_235], 1_234.5],
  [[-1_234, 1_234.01], 0.005],
  [[-2.5, -2.5, -2.495], -2.5],
  [[0.001, 0.0021], 0.00155],
  [[1e15, -1e15], 0],
  [[3e-9, -1e-9], 0],
  [[2e-6, 1e-6], 1.5e-6],
])('the mean of %j is %d', (numbers, mean) => {
  expect(meanOf(numbers)).toBe(mean);
});

it('tells also the smallest mean that there can be', () => {
  expect(exactMean(counted(['0e0']), counted(['5e-324']))).toBe(5e-324);
});

it('gives no mean of nothing, and none of numbers of which one is beyond all ranges', () => {
  expect(meanOf([])).toBeUndefined();
  expect(meanOf([1, 1e16])).toBeUndefined();
});
