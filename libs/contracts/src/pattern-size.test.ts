import { RE2JS } from 're2js';
import { patternSize } from './pattern-size';

it.each([
  ['', 0],
  ['abc', 3],
  ['a|b', 3],
  ['[A-Z]{2}-[0-9]+', 5],
  ['\\d{4}-\\d{2}-\\d{2}', 10],
  ['a{3}', 3],
  ['a{3,}', 4],
  ['a{0,30}', 30],
  ['a{0}', 1],
  ['(?:ab){10}', 20],
  ['(ab){10}', 30],
  ['(?P<x>ab){10}', 30],
  ['(?i)ab', 2],
  ['(?:a?){1000}', 2000],
  ['(?:(?:ab){10}c){10}', 210],
  ['(?:a?){1000}'.repeat(41), 82_000],
  ['[]a{1000}]', 1],
  ['[^]{9}a]', 1],
  ['[[:alpha:]{1000}]{2}', 2],
  ['\\p{Greek}{1000}', 1000],
  ['\\{1000}', 6],
  ['a\\{1000}', 7],
  ['\\Qa{1000}\\E', 11],
  ['a{x}', 4],
  ['((((', 4],
  ['))){3}', 0],
])('gives %j the size %j', (pattern, size) => {
  expect(patternSize(pattern)).toBe(size);
});

// patternSize only reads the text, so this compares its result with the compiler's.
it.each([
  '^[\\w.+-]{1,64}@[\\w-]{1,63}(\\.[\\w-]{1,63}){1,8}$',
  '(?:[\\p{L}\\p{N}]{1,50} ?){1,20}',
  '(?:(a+)+){1,100}',
  '(?i)[^\\]x]{5,10}|(?:yes|no){3}',
  '(?:.{0,10}){100}x',
  '(?:\\Q(((\\E[)(]{2}\\)){50}',
  '\\x{1F600}{100}\\pL{20}\\PN{3}',
])('gives %j at least a third of its compiled size', (pattern) => {
  const size = RE2JS.compile(pattern).programSize();
  expect(patternSize(pattern) * 3 + 3).toBeGreaterThanOrEqual(size);
  expect(patternSize(pattern)).toBeLessThanOrEqual(size * 2);
});
