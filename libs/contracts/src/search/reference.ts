// The reference of a submission: short enough to be read out, as `7K3F-92QD-5A`. It is made from the submission's id and leads back to it
// without an index: see docs/decisions/0057-finding-as-people-type.md.

/** Crockford's digits: none looks like another one, and none makes a rude word. */
export const referenceDigits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 10;
const idLength = 36;

/** The bits of the time that it has, in milliseconds: they begin anew every 35 years. */
const timeBits = 40n;
/** Those of the counter in the id that tells ids of the same millisecond apart. */
const counterBits = 10n;

/** The id of a submission is a version 7 UUID: its first six bytes are a time, and its last counter ends in the tenth and eleventh. */
export function referenceOf(id: string): string {
  const [time, counter] = [BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}`), BigInt(`0x${id.slice(21, 23)}${id.slice(24, 26)}`) >> 2n];
  const number = (low(time, timeBits) << counterBits) | low(counter, counterBits);
  return grouped(Array.from({ length }, (_, n) => referenceDigits[Number((number >> BigInt(5 * n)) & 31n)] ?? '').join(''));
}

/**
 * The reference, as receipts show it, or the whole id that somebody typed or pasted, if it can be one: with hyphens, spaces or neither, and with
 * letters in place of digits that look alike.
 */
export function readReference(typed: string): string | undefined {
  if (typed.length > 40) return undefined;
  const text = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  if (/^[0-9A-F]{32}$/.test(text)) return text.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const plain = text.replaceAll('O', '0').replace(/[IL]/g, '1');
  return plain.length === length && Array.from(plain).every((digit) => referenceDigits.includes(digit)) ? grouped(plain) : undefined;
}

/** Whether a submission has this name, as `readReference` returns it. */
export const isNamed = (id: string, name: string): boolean => id === name || referenceOf(id) === name;

/** The spans of 35 years in which submissions arrive: from 2004 to 2074. */
const spans = [1n, 2n];

/** The first and last ids that may have this name. Others in between have another one. */
export function idsNamed(name: string): { first: string; last: string }[] {
  if (name.length === idLength) return [{ first: name, last: name }];
  const number = Array.from(name.replaceAll('-', '')).reduceRight((sum, digit) => (sum << 5n) | BigInt(referenceDigits.indexOf(digit)), 0n);
  return spans.map((span) => {
    const hex = ((span << timeBits) | (number >> counterBits)).toString(16).padStart(12, '0');
    const start = `${hex.slice(0, 8)}-${hex.slice(8)}`;
    return { first: `${start}-0000-0000-000000000000`, last: `${start}-ffff-ffff-ffffffffffff` };
  });
}

const low = (number: bigint, bits: bigint): bigint => number & ((1n << bits) - 1n);

const grouped = (text: string): string => `${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
