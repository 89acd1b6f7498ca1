import { exactNumber, isNumberLiteral, plainCharacters } from '@sheaf/contracts';

const known = new Map<string, Intl.NumberFormatPart[]>();

/** How a language writes numbers. Cached, because the formatters of `Intl` take long to make. */
function separatorOf(language: string, kind: 'decimal' | 'group'): string | undefined {
  const parts = known.get(language) ?? new Intl.NumberFormat(language).formatToParts(1_234_567.8);
  known.set(language, parts);
  return parts.find(({ type }) => type === kind)?.value;
}

/** A number as programs write it, the same in every language, such as in an address. */
export const readPlainNumber = (text: string): number | undefined => (isNumberLiteral(text) ? exactNumber(text) : undefined);

/** A number as people type it; undefined for anything else, and for a number that would not be kept as it is. */
export function readNumber(text: string, language: string): number | undefined {
  const literal = numberLiteral(text, language);
  return literal === undefined ? undefined : exactNumber(literal);
}

/** More than any number has that is kept as it is: many texts that are longer would take long to look at. */
const maxLength = 1_000;

/**
 * A number as people type it, in the notation of programs: `1234.5` in every language, and with the separators of their own, such as
 * `1.234,5` in German; with the sign or code of a currency, and in digits of any script. A separator that the language uses otherwise is
 * read where it can mean one thing only, as in `12000,50`: a misread number would be worse than a question.
 * @returns undefined for anything else.
 */
export function numberLiteral(text: string, language: string): string | undefined {
  if (text.length > maxLength) return undefined;
  // Spaces and apostrophes only ever separate groups. The Arabic separators go with any digits, and mean the same in every language.
  const typed = withoutCurrency(plainCharacters(text)).replaceAll(/(\d)[\s'’٬](?=\d{3}(?!\d))/gu, '$1');
  const plain = typed.replaceAll('٫', '.');
  if (/e/i.test(plain)) return isNumberLiteral(plain) ? plain : undefined;

  const [, sign = '', digits] = /^([+-]?)([\d.,]+)$/.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  const separators = digits.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return sign + digits;
  const isOne = separators.length === 1;
  if (grouped.test(digits) && plain === typed) {
    // Only the language tells what `1.500` means, and some use a point for nothing.
    if (!isOne || last === separatorOf(language, 'group')) return sign + digits.replaceAll(last, '');
    if (last !== separatorOf(language, 'decimal')) return undefined;
  }
  const [whole = '', fraction = '', ...more] = digits.split(last);
  // 1.234,5 and 1,234.5
  if (!isOne && (!grouped.test(whole) || fraction === '' || more.length > 0)) return undefined;
  if (digits === last) return undefined;
  return `${sign}${whole.replaceAll(/[.,]/g, '') || '0'}${fraction && `.${fraction}`}`;
}

/** Groups of three digits, all with the same separator. */
const grouped = /^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/;

/** With the sign before the amount where it stood before the currency, and zeros for the dash in `1'500.–`. */
const withoutCurrency = (text: string): string =>
  text
    .replace(/[a-z]{3}/i, (code) => (Intl.supportedValuesOf('currency').includes(code.toUpperCase()) ? '¤' : code))
    .replace(/^([+-]?) ?\p{Sc} ?(?=[\d.,+-])/u, '$1')
    .replace(/([\d.,-]) ?\p{Sc}$/u, '$1')
    .replace(/^([+-]) (?=[\d.,])/, '$1')
    .replace(/[.,]--?$/, ([point]) => `${point}00`);

/** A number as the language writes it, without separators between groups, so that it can be typed over. */
export function writeNumber(number: number, language: string): string {
  const plain = String(number);
  // Powers of ten are read with a point alone.
  return plain.includes('e') ? plain : plain.replace('.', separatorOf(language, 'decimal') ?? '.');
}

/**
 * A number that was typed in one language as another one writes it, because `1.500` is another number in each. A text that is no number
 * stays as it is.
 */
export function rewriteNumber(text: string, from: string, to: string): string {
  const number = from === to ? undefined : readNumber(text, from);
  return number === undefined ? text : writeNumber(number, to);
}
