import { withoutLongRuns } from '@sheaf/contracts';

/** Scripts without spaces between words: pairs of neighbouring characters stand for their words. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const runs = new RegExp(`([${unspaced}]+)|((?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+)`, 'gu');

/** Accents, vowel points and the like that many people do not type. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Most texts have no other characters, and take a tenth of the time. */
const plain = /^[\x20-\x7e\n]*$/;

/** The longest part of a word that counts. */
const maxWordLength = 64;

/** A text as it is compared: without accents, and with upper and lower case the same. */
export const folded = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : withoutLongRuns(text).normalize('NFKD').replace(marks, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/** The words under which a text is found. A long one counts with its first 64 characters. */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap(({ run, isSpaced }) => (isSpaced ? [run] : [...pairsOf(run), ...run.slice(-1)]));
}

/** The words that a searched text must contain: all of the words, or a word with this beginning. */
export interface Sought {
  word: string;
  isPrefix: boolean;
}

/** Reads what somebody typed to search for: words, of which those with a `*` at their end may go on. */
export function soughtIn(typed: string): Sought[] {
  return typed.split(/\s+/).flatMap((token) => {
    const found = runsOf(token);
    return found.flatMap(({ run, isSpaced }, index) => {
      const isPrefix = token.endsWith('*') && index === found.length - 1;
      if (isSpaced) return [{ word: run, isPrefix }];
      const pairs = pairsOf(run);
      return pairs.length > 0 ? pairs.map((word) => ({ word, isPrefix: false })) : [{ word: run.join(''), isPrefix: true }];
    });
  });
}

type Run = { isSpaced: true; run: string } | { isSpaced: false; run: string[] };

function runsOf(text: string): Run[] {
  if (plain.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => ({ isSpaced: true, run: cut(word) }));
  return [...folded(text).matchAll(runs)].map(([, characters, word = '']) =>
    characters === undefined ? { isSpaced: true, run: cut(word) } : { isSpaced: false, run: Array.from(characters) },
  );
}

const pairsOf = (run: readonly string[]): string[] => run.slice(1).map((character, index) => `${run[index] ?? ''}${character}`);

const cut = (word: string): string => (word.length <= maxWordLength ? word : word.slice(0, maxWordLength).replace(/[\ud800-\udbff]$/, ''));
