import { commonPasswords } from './common-passwords';

/** So few different characters, or so short a part that repeats, are no password however long it is. */
const fewest = 4;
const shortest = 8;
/** Characters around a common word that people add when a rule asks for them: a year, a sequence, an exclamation mark. */
const added = 6;

/** In both directions; digits begin anew. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
];
const sequences = rows.flatMap((row) => [row, Array.from(row).reverse().join('')]);

/**
 * Whether a password is among the first that anybody tries: one that leaked often, or a common word, also the person's own address, with little
 * around it, written with digits for letters, or repeated.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const own = email.toLowerCase();
  const words = new Set([own, own.split('@', 1).join('')]);
  return (
    isWeak(text) || text === own || coresOf(text).some(({ core, rest }) => isWord(core, words) && (rest.length <= added || isWeak(rest)))
  );
}

const isWeak = (text: string): boolean =>
  new Set(text).size <= fewest ||
  unitOf(text).length < Math.min(shortest, text.length) ||
  commonPasswords.has(text) ||
  sequences.some((sequence) => sequence.includes(text));

function isWord(core: string, own: ReadonlySet<string>): boolean {
  const unit = unitOf(core);
  return unit.length >= 4 && (commonPasswords.has(unit) || own.has(unit));
}

/** The part of which a text is a repetition; the text itself if it repeats nothing. */
function unitOf(text: string): string {
  for (let length = 1; length <= text.length / 2; length++)
    if (text.length % length === 0 && text.slice(0, length).repeat(text.length / length) === text) return text.slice(0, length);
  return text;
}

/** The part that may be the word, and what is around it: without digits and signs at its ends, which may also stand for letters. */
function coresOf(text: string): { core: string; rest: string }[] {
  const start = text.search(/\p{L}/u);
  if (start < 0) return [];
  let end = text.length;
  while (!/\p{L}/u.test(text.charAt(end - 1))) end--;
  return [
    [start, end],
    [0, end],
    [start, text.length],
    [0, text.length],
  ].map(([from, to]) => ({ core: plain(text.slice(from, to)), rest: text.slice(0, from) + text.slice(to) }));
}

const letters: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '3': 'e',
  '5': 's',
  $: 's',
  '7': 't',
};

const plain = (text: string): string => text.replace(/[@401!35$7]/g, (sign) => letters[sign] ?? sign);
