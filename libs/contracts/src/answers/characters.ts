// The characters that people type, paste and get from their keyboards for the same text. No dependencies: the hosted form's script runs this, too.

/** Marks that show nothing and only direct the text around them, and those that show nothing at all. Never typed on purpose. */
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/** In a number or a phone number nothing joins or varies characters either. */
const ignorable = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Far longer than in any language; normalization sorts a run of marks, in time that grows with the square of its length. */
const longRun = /\p{M}{32}/u;

/** A text without the marks that follow the first 31 on a character, so that it can be normalized in time in proportion to its length. */
export const withoutLongRuns = (text: string): string => text.replace(/(\p{M}{31})\p{M}+/gu, '$1');

/** A text in NFC, in time that is proportional to its length. One that nobody can have written by hand stays as it is. */
export const composed = (text: string): string => (longRun.test(text) ? text : text.normalize('NFC'));

export const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** Full-width letters, digits and signs, those of currencies too, as the ordinary ones. */
export const narrow = (text: string): string => text.replace(/[\uff01-\uff5e\uffe0\uffe1\uffe5\uffe6]/g, (wide) => wide.normalize('NFKC'));

/** The digits of every script as `0` to `9`. Unicode has each script's in one row, from zero to nine. */
const western = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(valueOf(digit.codePointAt(0) ?? 0)));

function valueOf(digit: number): number {
  let before = 0;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(digit - before - 1))) before += 1;
  return before % 10;
}

/**
 * The characters of a number, phone number, date or time as programs write them: digits of any script as Western ones, any dash or minus as
 * `-`, any space as one. Nothing that has a value of its own is left out or added.
 */
export const plainCharacters = (text: string): string =>
  western(narrow(text).replace(ignorable, ''))
    .replace(/[\p{Pd}\u2212\u30fc]/gu, '-')
    .replace(/\s/g, ' ')
    .trim();
