// Lengths are counted in code points, as in PostgreSQL and JSON Schema. JavaScript counts UTF-16 units; a code point has one or two of them.

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

// Comparing the number of UTF-16 units is enough for most texts.
export const isShorter = (text: string, min: number): boolean => text.length < min || (text.length < 2 * min && lengthOf(text) < min);
export const isLonger = (text: string, max: number): boolean => text.length > max && (text.length > 2 * max || lengthOf(text) > max);

/** The first `max` code points of a text. */
export const truncate = (text: string, max: number): string =>
  isLonger(text, max)
    ? Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('')
    : text;
