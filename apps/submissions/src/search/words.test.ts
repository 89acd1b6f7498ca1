import { soughtIn, wordsOf } from './words';

it.each([
  ['Ada Lovelace, 1815', ['ada', 'lovelace', '1815']],
  ['ada@example.org', ['ada', 'example', 'org']],
  ['STRASSE Straße', ['strasse', 'strasse']],
  ['Zoë Ångström façade', ['zoe', 'angstrom', 'facade']],
  ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
  ['Iğdır', ['igdir']],
  ['مُحَمَّد', ['محمد']],
  ['한국어', ['한국어']],
  ['ﬁne Ⅷ', ['fine', 'viii']],
  ['東京都', ['東京', '京都', '都']],
  ['山', ['山']],
  ['Tokyo東京2020', ['tokyo', '東京', '京', '2020']],
  ['… — !', []],
  ['👍', []],
])('finds %j under its words', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('counts a long word with its beginning', () => {
  expect(wordsOf('x'.repeat(100_000))).toEqual(['x'.repeat(64)]);
  expect(soughtIn('x'.repeat(70))).toEqual([{ word: 'x'.repeat(64), isPrefix: false }]);
});

it.each([
  ['Ada  LOVE*', ['ada', 'love*']],
  ['ada@exam*', ['ada', 'exam*']],
  ['東京都', ['東京', '京都']],
  ['都', ['都*']],
  ['* !', []],
  ['a*b', ['a', 'b']],
])('reads %j as what is sought', (typed, words) => {
  expect(soughtIn(typed).map(({ word, isPrefix }) => (isPrefix ? `${word}*` : word))).toEqual(words);
});

it('counts only the first marks on a character, as sorting all of them would keep the process from its other work', () => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  expect(wordsOf(`a${'\u0b3c\u0b4d'.repeat(30_000)} b`)).toEqual([expect.stringMatching(/^a/), 'b']);
  const lengths = normalize.mock.contexts.map((text) => String(text).length);
  normalize.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(50);
});
