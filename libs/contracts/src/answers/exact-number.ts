/** Longer than any number that JavaScript prints. */
const maxLength = 1_000;

/** A number as JSON writes it. */
const literal = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

export const isNumberLiteral = (text: string): boolean => literal.test(text);

/** The number that a text in JSON's notation stands for; undefined if a double would change it. */
export function exactNumber(text: string): number | undefined {
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  // A decimal of up to 15 digits survives the conversion to a double and back, unless its exponent brings it close to 0.
  if (text.length <= 15 && (Math.abs(number) > 1e-290 || !/e/i.test(text))) return number;
  return text.length <= maxLength && canonical(text) === canonical(String(number)) ? number : undefined;
}

/** `-15e1` for `-150.0`. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = literal.exec(text) ?? [];
  const digits = withoutLastZeros(`${whole}${fraction}`);
  const shift = whole.length - digits.length + Number(exponent);
  const significant = digits.replace(/^0+/, '');
  return significant === '' ? '0' : `${sign === '-' ? '-' : ''}${significant}e${shift}`;
}

/** Without a regular expression, which would look at each row of zeros again from each of them. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
