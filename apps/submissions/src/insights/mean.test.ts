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
  [-2.5e-7, ['-2e-7', '-5e-8']],
  [2e300, ['beyond']],
])('counts the digits of %d that its range leaves out', (number, digits) => {
  expect(restOf(number)).toEqual(digits);
});

it('adds up to each number exactly, whatever it is', () => {
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
      expect(sum).toBe(units(each.toExponential()));
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
  [[3e-9, -1e-9], 1e-9],
])('the mean of %j is %d', (numbers, mean) => {
  expect(meanOf(numbers)).toBe(mean);
});

it('gives no mean of nothing, and none of numbers of which one is beyond all ranges', () => {
  expect(meanOf([])).toBeUndefined();
  expect(meanOf([1, 1e16])).toBeUndefined();
});
