import { beyond, type CountedRange } from './counted-range';

/**
 * The mean of numbers, with two decimal places; below 1 with three significant digits.
 * @returns undefined if there are none, or one is beyond all ranges
 */
export function exactMean(ranges: readonly CountedRange[], digits: readonly CountedRange[]): number | undefined {
  const total = BigInt(ranges.reduce((sum, { submissions }) => sum + submissions, 0));
  if (total === 0n || digits.some(({ range }) => range === beyond)) return undefined;
  const parts = [...ranges, ...digits].map(({ range, submissions }) => {
    const [mantissa = '', scale = ''] = range.split('e');
    return { units: BigInt(mantissa) * BigInt(submissions), scale: Number(scale) };
  });
  const lowest = Math.min(0, ...parts.map(({ scale }) => scale));
  const sum = parts.reduce((all, { units, scale }) => all + units * 10n ** BigInt(scale - lowest), 0n);
  const places = placesFor(Number(`${sum}e${lowest}`) / Number(total));
  // Half a unit more, rounded down, as Math.round does.
  const [above, below] = [2n * sum * 10n ** BigInt(places) + total * 10n ** BigInt(-lowest), 2n * total * 10n ** BigInt(-lowest)];
  const rounded = above / below - (above % below < 0n ? 1n : 0n);
  return Number(`${rounded}e-${places}`);
}

/** The decimal places with which a number is told. */
function placesFor(number: number): number {
  const size = Math.abs(number);
  return size === 0 || size >= 1 || !Number.isFinite(size) ? 2 : 2 - Math.floor(Math.log10(size));
}
