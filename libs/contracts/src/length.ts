// Lengths count code points, as PostgreSQL and JSON Schema do. JavaScript counts UTF-16 units, of which a code point has one or two.

export const lengthOf = (text: string): number => {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      length--;
      at++;
    }
  }
  return length;
};

// Most texts need no counting.
export const isShorter = (text: string, min: number): boolean => text.length < min || (text.length < 2 * min && lengthOf(text) < min);
export const isLonger = (text: string, max: number): boolean => text.length > max && (text.length > 2 * max || lengthOf(text) > max);

/** The first characters, no more than so many. */
export const firstOf = (text: string, max: number): string => (isLonger(text, max) ? Array.from(text.slice(0, 2 * max)).slice(0, max).join('') : text);
