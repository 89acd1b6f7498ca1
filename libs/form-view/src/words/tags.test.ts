import { fileTypeNames } from './file-types';
import { isolated } from './isolated';
import { languageNameOf, wordLanguageOf } from './languages';
import { directionOf } from './tags';

test.each([
  ['ar', 'rtl'],
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa', 'rtl'],
  ['ur', 'rtl'],
  ['az-Arab', 'rtl'],
  ['az', 'ltr'],
  ['en', 'ltr'],
  ['ja', 'ltr'],
  ['', 'ltr'],
  ['"><b>', 'ltr'],
])('%s is written %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});

test.each([
  ['pt-PT', 'pt'],
  ['zh-TW', 'zh-Hant'],
  ['zh-Hans-SG', 'zh'],
  ['sv', 'en'],
  ['', 'en'],
  ['__proto__', 'en'],
])('readers of %s get our words in %s', (language, words) => {
  expect(wordLanguageOf(language)).toBe(words);
});

test('a language is called by its own name, also if only the author writes in it', () => {
  expect(['zh-Hant', 'uk', 'sv', 'pt-BR'].map(languageNameOf)).toEqual(['繁體中文', 'Українська', 'Svenska', 'Português (Brasil)']);
});

test('a foreign text within a sentence of ours is isolated where its direction may differ, and cannot end the isolation', () => {
  expect(isolated('en', 'plan.pdf')).toBe('plan.pdf');
  expect(isolated('en', 'תוכנית.pdf')).toBe('\u2068תוכנית.pdf\u2069');
  expect(isolated('he', 'plan.pdf')).toBe('\u2068plan.pdf\u2069');
  expect(isolated('he', 'a\u2069\u202eb')).toBe('\u2068ab\u2069');
});

test('file types are called as people know them', () => {
  const accept = ['image/*', 'application/pdf', 'image/png', 'text/csv', 'application/x-thing', 'font/*', 'constructor/*'];
  expect(fileTypeNames('de', accept)).toEqual(['Bilder', 'PDF', 'PNG', 'CSV', 'application/x-thing', 'font/*', 'constructor/*']);
});
