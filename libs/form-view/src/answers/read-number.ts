interface Separators {
  decimal: string;
  group: string;
  /** The numbers that are written with them. */
  shape: RegExp;
}

const known = new Map<string, Separators>();

/** How a language writes numbers. Cached, because the formatters of `Intl` take long to make. */
function separatorsOf(language: string): Separators {
  const cached = known.get(language);
  if (cached) return cached;
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.8);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value;
  const decimal = partOf('decimal') ?? '.';
  const group = partOf('group') ?? '';
  // Spaces between groups are removed before.
  const grouped = group === '' || /\s/.test(group) ? '' : `(?:\\${group}\\d{3})*`;
  const shape = new RegExp(`^[+-]?\\d{1,3}${grouped}(?:\\${decimal}\\d+)?$|^[+-]?\\d+(?:\\${decimal}\\d+)?$`);
  const found = { decimal, group, shape };
  known.set(language, found);
  return found;
}

/** The first digit of each decimal system that people type: Western, Arabic, Persian and full-width digits. */
const zeros = ['0', '٠', '۰', '０'].map((zero) => zero.charCodeAt(0));

const western = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const zero = zeros.find((first) => digit.charCodeAt(0) >= first && digit.charCodeAt(0) <= first + 9);
    return zero === undefined ? digit : String(digit.charCodeAt(0) - zero);
  });

const plainShape = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A number as programs write it, the same in every language, such as in an address. */
export const readPlainNumber = (text: string): number | undefined => (plainShape.test(text) ? finite(text) : undefined);

/**
 * A number as people type it: `1234.5` in every language, and with the separators of their own, such as `1.234,5` in German. Separators
 * must stand where they belong: a misread `1,5` would be worse than a question.
 * @returns undefined for anything else.
 */
export function readNumber(text: string, language: string): number | undefined {
  const { decimal, group, shape } = separatorsOf(language);
  // Spaces and apostrophes only ever separate groups. The Arabic separators go with any digits.
  const plain = western(text)
    .replaceAll('٫', '.')
    // Without a lookbehind, which some browsers do not know.
    .replaceAll(/(\d)[\s'’٬](?=\d{3}(?!\d))/gu, '$1')
    .replace('−', '-');
  const isGroup = group === '.' && /^[+-]?\d{1,3}\.\d{3}$/.test(plain);
  if (!isGroup && plainShape.test(plain)) return finite(plain);
  if (!shape.test(plain)) return undefined;
  return finite((group === '' ? plain : plain.replaceAll(group, '')).replace(decimal, '.'));
}

/** What is too large for a number would be infinite, which JSON does not have: the answer would be lost without a word. */
function finite(text: string): number | undefined {
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** A number as the language writes it, without separators between groups, so that it can be typed over. */
export function writeNumber(number: number, language: string): string {
  const plain = String(number);
  // Powers of ten are read with a point alone.
  return plain.includes('e') ? plain : plain.replace('.', separatorsOf(language).decimal);
}

/** What was typed in one language as another one writes it, because `1.500` is another number in each. What is no number stays as it is. */
export function rewriteNumber(text: string, from: string, to: string): string {
  const number = from === to ? undefined : readNumber(text.trim(), from);
  return number === undefined ? text : writeNumber(number, to);
}
