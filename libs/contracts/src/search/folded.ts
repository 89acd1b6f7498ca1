import { withoutLongRuns } from '../answers/characters';

// Apart from the words of a search, because the page of a form compares texts in the same way, and should not load the rest.

/** Accents, vowel points and the like that many people do not type. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Most texts have no other characters, and take a tenth of the time. */
export const onlyPlain = /^[\x20-\x7e\n]*$/;

/** A text as it is compared: without accents, and with upper and lower case the same. */
export const folded = (text: string): string =>
  onlyPlain.test(text)
    ? text.toLowerCase()
    : withoutLongRuns(text).normalize('NFKD').replace(marks, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
