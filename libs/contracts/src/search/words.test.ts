import { markedIn, saysIn, soughtIn, wholeWordsIn, wordsOf, type SoughtWord } from './words';

const spelled = ({ word, isPrefix }: SoughtWord) => (isPrefix ? `${word}*` : word);

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
  expect(wholeWordsIn('x'.repeat(70))).toEqual([{ word: 'x'.repeat(64), isPrefix: false }]);
});

it.each([
  ['Ada  LOVE', ['ada*', 'love*']],
  ['Ada* LOVE*', ['ada*', 'love*']],
  ['ada@exam', ['ada exam*']],
  ['https://example.org/Müller-Lüd', ['https example org muller lud*']],
  ['"Ada Lovelace" 18', ['"ada lovelace"', '18*']],
  ['„Ada“ »Byron« “Love”', ['"ada"', '"byron"', '"love"']],
  ['"Ada Love', ['ada*', 'love*']],
  ['"" "…" "a', ['a*']],
  ['東京都', ['東京 京都']],
  ['都', ['都*']],
  ["* ! & | :* ' \\ () <->", []],
  ['a*b', ['a b*']],
  ['👍', []],
])('reads %j as what is sought', (typed, sought) => {
  const read = soughtIn(typed).map(({ words, isQuoted }) =>
    isQuoted ? `"${words.map(spelled).join(' ')}"` : words.map(spelled).join(' '),
  );
  expect(read).toEqual(sought);
});

it.each([
  ['Ada Lovelace wrote', 'ADA  lovelace', true],
  ['Ada, Lovelace', 'ada lovelace', true],
  ['Ada King Lovelace', 'ada lovelace', false],
  ['Ada Lovelaces, Ada Lovelace', 'ada lovelace', true],
  ['Ada Lovelaces', 'ada lovelace', false],
  ['Canada Lovelace', 'ada lovelace', false],
  ['新東京都庁', '東京都', true],
  ['東京と京都', '東京都', false],
  ['the 東京 tower', '東京 tower', true],
  ['Ada', '…', false],
])('%j, which is searched for the phrase %j, has it: %s', (text, phrase, has) => {
  expect(saysIn(text, phrase)).toBe(has);
});

it.each([
  ['Jürgen Berger <juergen@example.org>', 'jür berg', '[Jür]gen [Berg]er <juergen@example.org>'],
  ['Ju\u0308rgen', 'jur', '[Ju\u0308r]gen'],
  ['Große Größe', 'gross', '[Groß]e [Größ]e'],
  ['Berg Berger', '"berg"', '[Berg] Berger'],
  ['ﬁne fine', 'f', '[ﬁ]ne [f]ine'],
  ['東京都庁', '京都', '東[京都]庁'],
  ['山と山', '山', '[山]と[山]'],
  ['nothing', 'else', 'nothing'],
  ['anything', '…', 'anything'],
])('%j, which is searched for %j, is marked as %j', (text, typed, marked) => {
  const parts = markedIn(text, soughtIn(typed));
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.map((part) => (part.isSought ? `[${part.text}]` : part.text)).join('')).toBe(marked);
});

it('counts only the first marks on a character, as sorting all of them would keep the process from its other work', () => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  expect(wordsOf(`a${'\u0b3c\u0b4d'.repeat(30_000)} b`)).toEqual([expect.stringMatching(/^a/), 'b']);
  const lengths = normalize.mock.contexts.map((text) => String(text).length);
  normalize.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(50);
});
