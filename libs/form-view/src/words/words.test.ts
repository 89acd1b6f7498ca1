import { languages, wordLanguages, wordsOf } from './languages';
import type { WordLanguage } from './counting';

/** Every text of a language, by its path; functions are called with texts and counts that no language contains. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    if ('forms' in value) return textsOf(value.forms, path);
    const args = path === 'chooseBetween' ? [4_001, 5_005] : ['⟨1⟩', '⟨2⟩'].slice(0, value.length);
    const write = value as (...args: unknown[]) => string;
    return [[path, write(...args)]];
  }
  return Object.entries(value as object).flatMap(([key, part]) => textsOf(part, path === '' ? key : `${path}.${key}`));
}

const english = new Map(textsOf(wordsOf('en')));

/** English has fewer plurals than others. */
const englishOf = (path: string): string => english.get(path.replace(/\.(?:zero|two|few|many)$/, '.other')) ?? '';

/** Words that are rightly the same as in English. */
const sameAsEnglish: Partial<Record<WordLanguage, readonly string[]>> = {
  fr: ['fileKinds.image'],
  es: ['errorTitle', 'no'],
  it: ['no'],
};

const others = wordLanguages.filter((language) => language !== 'en');

test('our words exist in fifteen languages, each with its own name', () => {
  expect(languages).toHaveLength(15);
  expect(new Set(languages.map(({ name }) => name)).size).toBe(15);
  expect(wordLanguages.map((language) => wordsOf(language).language)).toEqual(wordLanguages);
});

describe.each([...wordLanguages])('%s', (language) => {
  const texts = textsOf(wordsOf(language));

  test('every word has a text, and no placeholder is left', () => {
    for (const [path, text] of texts) {
      expect([path, text.trim()]).not.toEqual([path, '']);
      expect([path, text]).not.toEqual([path, expect.stringMatching(/undefined|null|NaN|\[object|\$\{|TODO|\{\w*\}/)]);
    }
  });

  test('every text shows what it is given', () => {
    const given = [...english].filter(([, text]) => text.includes('⟨1⟩'));
    for (const [path, text] of given) {
      const [, own] = texts.find(([name]) => name === path) ?? [];
      expect([path, own]).toEqual([path, expect.stringContaining('⟨1⟩')]);
      if (text.includes('⟨2⟩')) expect([path, own]).toEqual([path, expect.stringContaining('⟨2⟩')]);
    }
  });

  test('texts begin and end without spaces, and have none twice', () => {
    for (const [path, text] of texts) expect([path, text]).not.toEqual([path, expect.stringMatching(/^\s|\s$|\s{2}/)]);
  });

  test('sentences end like those in English', () => {
    const ends = /[.。:：]$/;
    for (const [path, text] of texts.filter(([name]) => !name.startsWith('faults.') && name !== 'languageName')) {
      expect([path, ends.test(text)]).toEqual([path, ends.test(englishOf(path))]);
    }
    for (const [path, text] of texts.filter(([name]) => name.startsWith('faults.'))) {
      expect([path, text]).not.toEqual([path, expect.stringMatching(/[.。]$/)]);
    }
  });

  test('the name of a button that concerns one thing contains the word on the button', () => {
    const words = wordsOf(language);
    const lower = (text: string) => text.toLocaleLowerCase(language);
    expect(lower(words.removeNamed('x'))).toContain(lower(words.remove));
    expect(lower(words.changeAnswer('x'))).toContain(lower(words.change));
  });
});

describe.each(others)('%s', (language) => {
  test('no word is left in English', () => {
    const same = textsOf(wordsOf(language)).filter(([path, text]) => english.get(path) === text && /\p{L}/u.test(text));
    expect(same.map(([path]) => path)).toEqual(sameAsEnglish[language] ?? []);
  });
});

/** Words that are written in Latin letters in every language. */
const latin = /JavaScript|URL|https?:|name@example\.com/g;

test.each(['ar', 'he', 'uk', 'zh', 'zh-Hant', 'ja'])('%s has no word in Latin letters', (language) => {
  for (const [path, text] of textsOf(wordsOf(language)).filter(([name]) => name !== 'language')) {
    expect([path, text.replaceAll(latin, '')]).not.toEqual([path, expect.stringMatching(/[a-z]/i)]);
  }
});

test('the words that people and programs rely on are these in English', () => {
  const { send, continue: next, back, remove, saveForLater, thereIsAProblem, checkYourAnswers, thankYou, reference } = wordsOf('en');
  expect([send, next, back, remove, saveForLater]).toEqual(['Send', 'Continue', 'Back', 'Remove', 'Save and come back later']);
  expect([thereIsAProblem, checkYourAnswers, thankYou, reference]).toEqual([
    'There is a problem',
    'Check your answers',
    'Thank you',
    'Reference',
  ]);
});
