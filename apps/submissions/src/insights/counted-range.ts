/** Numbers beyond this count as it. */
const greatest = 1e15;
/** Numbers closer to zero count as zero. */
const smallest = 1e-6;

/**
 * The range in which a number is counted: all numbers that are the same when they are rounded down to two significant digits. It is named by
 * the lowest of them, such as `36e0` for 36 ≤ number < 37. A range depends on the number alone, so counts of ranges add up.
 */
export function rangeOf(number: number): string {
  if (Math.abs(number) < smallest) return '0e0';
  // Decimal digits, as a division by 0.1 would put 0.3 below itself.
  const [mantissa = '', exponent = ''] = Math.min(Math.abs(number), greatest).toExponential().split('e');
  const digits = mantissa.replace('.', '').padEnd(2, '0');
  const two = Number(digits.slice(0, 2));
  const scale = Number(exponent) - 1;
  if (number > 0) return `${two}e${scale}`;
  const rounded = digits.length > 2 ? two + 1 : two;
  // Above -1 the ranges are finer than below it, and -1 is the lowest number of the first.
  return rounded === 10 ? `-100e${scale - 1}` : `-${rounded}e${scale}`;
}

/** Stands for a number that no range is near to. */
export const beyond = 'beyond';

/**
 * The digits of a number that the range in which it is counted leaves out, such as `5e-1` for 36.5, which counts as 36. Their values and the lowest
 * number of the range add up to the number, exactly; each is one of few, so they are counted as ranges are, and taken back like them. A number has at most
 * 17 digits, so none is below 1e-22, and a field has a few hundred of them, whatever is sent.
 */
export function restOf(number: number): string[] {
  const size = Math.abs(number);
  if (size > greatest) return [beyond];
  if (size < smallest) return [];
  const [mantissa = '', exponent = ''] = size.toExponential().split('e');
  const all = mantissa.replace('.', '');
  const left = all.slice(2);
  if (left === '') return [];
  const rest = number < 0 ? String(10n ** BigInt(left.length) - BigInt(left)).padStart(left.length, '0') : left;
  return rest.split('').flatMap((digit, place) => (digit === '0' ? [] : [`${digit}e${Number(exponent) - 2 - place}`]));
}

/** A range and the submissions in it. */
export interface CountedRange {
  range: string;
  submissions: number;
}
