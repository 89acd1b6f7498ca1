import { folded, onlyPlain } from './folded';

// How texts are searched: the index has the words of each submission, and the console marks those that were sought.

/** Scripts without spaces between words: pairs of neighbouring characters stand for their words. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const onlyUnspaced = new RegExp(`^[${unspaced}]+$`, 'u');
const runs = new RegExp(`([${unspaced}]+)|((?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+)`, 'gu');

/** The longest part of a word that counts. */
const maxWordLength = 64;

/** The words under which a text is found. A long one counts with its first 64 characters. */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap(({ run, isSpaced }) => (isSpaced ? [run] : [...pairsOf(run), ...run.slice(-1)]));
}

/** A word that a text must have, or the beginning of one. */
export interface SoughtWord {
  word: string;
  isPrefix: boolean;
}

/** Something that a text must have. */
export interface Sought {
  /** All of them. */
  words: readonly SoughtWord[];
  /** Whether they were quoted: they follow each other in the text. */
  isQuoted: boolean;
  /** As it was typed. */
  text: string;
}

const quote = '"\u201c\u201d\u201e\u201f\u00ab\u00bb';
/** Everything between two quotation marks, of whatever country; else everything up to the next space. */
const parts = new RegExp(`[${quote}]([^${quote}]+)[${quote}]|([^\\s${quote}]+)`, 'gu');

/**
 * Reads what somebody typed to search for. Every word may go on in the text, except between quotation marks; of an address or a word with
 * hyphens the last part may. A mark without a second one, as while somebody types, counts for nothing.
 */
export const soughtIn = (typed: string): Sought[] =>
  [...typed.matchAll(parts)]
    .map(([, quoted, token = '']) => ({
      words: quoted === undefined ? openWordsIn(token) : wholeWordsIn(quoted),
      isQuoted: quoted !== undefined,
      text: quoted ?? token,
    }))
    .filter(({ words }) => words.length > 0);

/** The words of a text as they are. */
export const wholeWordsIn = (text: string): SoughtWord[] => runsOf(text).flatMap((run) => soughtOf(run, false));

function openWordsIn(token: string): SoughtWord[] {
  const found = runsOf(token);
  return found.flatMap((run, index) => soughtOf(run, index === found.length - 1));
}

function soughtOf(run: Run, isOpen: boolean): SoughtWord[] {
  if (run.isSpaced) return [{ word: run.run, isPrefix: isOpen }];
  const pairs = pairsOf(run.run);
  return pairs.length > 0 ? pairs.map((word) => ({ word, isPrefix: false })) : [{ word: run.run.join(''), isPrefix: true }];
}

/** Whether the beginning of a word is so short that very many words have it. A character of a script without spaces says more. */
export const isShort = ({ word, isPrefix }: SoughtWord, atLeast: number): boolean =>
  isPrefix && Array.from(word).length < atLeast && !onlyUnspaced.test(word);

/** Whether a text has the words of another one beside each other. */
export function saysIn(text: string, phrase: string): boolean {
  const [whole, sought] = [runsOf(text), runsOf(phrase)];
  const [first, last] = [sought[0], sought.at(-1)];
  if (!first || !last) return false;
  const [all, wanted] = [line(whole), line(sought)];
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const isBegun = !first.isSpaced || at === 0 || all[at - 1] === ' ';
    if (isBegun && (!last.isSpaced || end === all.length || all[end] === ' ')) return true;
  }
  return false;
}

const line = (found: readonly Run[]): string => found.map(({ run }) => (typeof run === 'string' ? run : run.join(''))).join(' ');

/** A part of a text. */
export interface Marked {
  text: string;
  /** Whether it is what was sought. */
  isSought: boolean;
}

/** The characters in which words are marked: looking for them further would keep the browser from its other work. */
const maxMarkedLength = 20_000;

/** The parts of a text, of which the words that were sought are marked, or the beginnings of words. */
export function markedIn(text: string, sought: readonly Sought[]): Marked[] {
  const words = sought.flatMap((each) => each.words);
  if (words.length === 0) return [{ text, isSought: false }];
  const parts: Marked[] = [];
  const add = (part: string, isSought: boolean) => {
    const last = parts.at(-1);
    if (part === '') return;
    if (last?.isSought === isSought) last.text += part;
    else parts.push({ text: part, isSought });
  };
  let end = 0;
  for (const match of text.slice(0, maxMarkedLength).matchAll(runs)) {
    add(text.slice(end, match.index), false);
    end = match.index + match[0].length;
    if (match[1] === undefined) {
      const length = markedLength(match[0], words);
      add(match[0].slice(0, length), true);
      add(match[0].slice(length), false);
    } else for (const { character, isSought } of markedCharacters(Array.from(match[1]), words)) add(character, isSought);
  }
  add(text.slice(end), false);
  return parts;
}

/** How many characters at the beginning of a word were sought. */
function markedLength(word: string, sought: readonly SoughtWord[]): number {
  const whole = cut(folded(word));
  const lengths = sought.map((each) => {
    if (each.isPrefix ? !whole.startsWith(each.word) : whole !== each.word) return 0;
    if (!each.isPrefix) return word.length;
    // A letter may become several, and marks none.
    const letters = word.match(/.\p{M}*/gsu) ?? [];
    const count = letters.findIndex((_, index) => folded(letters.slice(0, index + 1).join('')).length >= each.word.length);
    return count === -1 ? word.length : letters.slice(0, count + 1).join('').length;
  });
  return Math.max(...lengths);
}

function markedCharacters(characters: readonly string[], sought: readonly SoughtWord[]): { character: string; isSought: boolean }[] {
  const words = new Set(sought.map(({ word }) => word));
  const pairs = pairsOf(characters).map((pair) => words.has(folded(pair)));
  return characters.map((character, index) => ({
    character,
    isSought: words.has(folded(character)) || pairs[index] === true || pairs[index - 1] === true,
  }));
}

type Run = { isSpaced: true; run: string } | { isSpaced: false; run: string[] };

function runsOf(text: string): Run[] {
  if (onlyPlain.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => ({ isSpaced: true, run: cut(word) }));
  return [...folded(text).matchAll(runs)].map(([, characters, word = '']) =>
    characters === undefined ? { isSpaced: true, run: cut(word) } : { isSpaced: false, run: Array.from(characters) },
  );
}

const pairsOf = (run: readonly string[]): string[] => run.slice(1).map((character, index) => `${run[index] ?? ''}${character}`);

const cut = (word: string): string => (word.length <= maxWordLength ? word : word.slice(0, maxWordLength).replace(/[\ud800-\udbff]$/, ''));
