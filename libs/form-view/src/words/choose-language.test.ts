import { chooseLanguage, type LanguageWish } from './choose-language';

const choose = (wish: Partial<LanguageWish>) =>
  chooseLanguage({ asked: undefined, acceptLanguage: undefined, offered: undefined, authorLanguage: undefined, ...wish });

describe('a form that offers German, French and traditional Chinese, and was written in German', () => {
  const form = { offered: ['de', 'fr', 'zh-Hant'], authorLanguage: 'de' };

  test.each<[rule: string, asked: string | undefined, acceptLanguage: string | undefined, language: string]>([
    ['shows what ?lang asks for', 'fr', 'de', 'fr'],
    ['takes a region of ?lang for its language', 'fr-CA', undefined, 'fr'],
    ['reads ?lang in any case', 'ZH-hant', undefined, 'zh-Hant'],
    ['ignores ?lang for a language that it does not offer', 'pl', 'fr', 'fr'],
    ['ignores an empty ?lang', '', 'fr', 'fr'],
    ['follows the browser', undefined, 'fr', 'fr'],
    ['takes a region of the browser for its language', undefined, 'fr-CH', 'fr'],
    ['follows the first of the browser’s languages that it offers', undefined, 'pl, fr;q=0.9, de;q=0.8', 'fr'],
    ['follows weights before order', undefined, 'de;q=0.3, fr;q=0.7', 'fr'],
    ['does not show a language with the weight 0', undefined, 'fr;q=0, de', 'de'],
    ['reads Taiwan’s Chinese as traditional', undefined, 'zh-TW, en;q=0.8', 'zh-Hant'],
    ['reads Hong Kong’s Chinese as traditional', undefined, 'zh-HK', 'zh-Hant'],
    ['shows its only Chinese to readers of the other script', undefined, 'zh-CN', 'zh-Hant'],
    ['is in the author’s language where the browser wants another', undefined, 'pl', 'de'],
    ['is in the author’s language where the browser wants any', undefined, '*', 'de'],
    ['is in the author’s language without a header', undefined, undefined, 'de'],
    ['is in the author’s language with a broken header', undefined, ';;,q=,=-1;q=x,;q=2', 'de'],
  ])('%s', (_rule, asked, acceptLanguage, language) => {
    expect(choose({ ...form, asked, acceptLanguage })).toBe(language);
  });
});

describe('a form that offers regions', () => {
  const form = { offered: ['pt-BR', 'pt-PT', 'en'], authorLanguage: 'en' };

  test.each([
    ['pt-PT', 'pt-PT'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-AO', 'pt-BR'],
  ])('shows readers of %s %s', (acceptLanguage, language) => {
    expect(choose({ ...form, acceptLanguage })).toBe(language);
  });
});

test('a form whose author offers a language that we have no words for is shown in it', () => {
  expect(choose({ offered: ['de', 'sv'], authorLanguage: 'de', acceptLanguage: 'sv-SE' })).toBe('sv');
});

describe('a form without a choice of languages', () => {
  test.each<[rule: string, authorLanguage: string | undefined, wish: Partial<LanguageWish>, language: string]>([
    ['has our words in the respondent’s language', 'de', { acceptLanguage: 'uk' }, 'uk'],
    ['has our words in the language of ?lang', 'de', { asked: 'ja', acceptLanguage: 'uk' }, 'ja'],
    ['is in the author’s language if we have no words in the respondent’s', 'de', { acceptLanguage: 'sv' }, 'de'],
    ['is in English if the author has not said a language either', undefined, { acceptLanguage: 'sv' }, 'en'],
    ['is in the author’s language, also if we have no words in it', 'sv', { acceptLanguage: 'sv' }, 'sv'],
    ['is in simplified Chinese for China', 'de', { acceptLanguage: 'zh-CN' }, 'zh'],
    ['is in traditional Chinese for Taiwan', 'de', { acceptLanguage: 'zh-TW' }, 'zh-Hant'],
    ['takes the old tag of Hebrew', 'de', { acceptLanguage: 'iw' }, 'he'],
  ])('%s', (_rule, authorLanguage, wish, language) => {
    expect(choose({ authorLanguage, ...wish })).toBe(language);
  });

  test('also has this rule with an empty list of languages', () => {
    expect(choose({ offered: [], authorLanguage: 'de', acceptLanguage: 'fr' })).toBe('fr');
  });
});

test('an author who names languages, but not their own, wrote in the first of them', () => {
  expect(choose({ offered: ['fr', 'en'], acceptLanguage: 'pl' })).toBe('fr');
});

test('an author who forgot their own language among the offered ones gets the first of these as the last resort', () => {
  expect(choose({ offered: ['fr', 'it'], authorLanguage: 'de', acceptLanguage: 'pl' })).toBe('fr');
});

test.each([
  '"><script>alert(1)</script>',
  'de"onload=x',
  '../../etc/passwd',
  'de\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'x'.repeat(100_000),
  `de-${'abcdefgh-'.repeat(10_000)}`,
  '\u202ede',
  '\0',
])('a hostile language never reaches the page: %#', (hostile) => {
  const form = { offered: ['de', 'fr'], authorLanguage: 'de' };
  expect(choose({ ...form, asked: hostile })).toBe('de');
  expect(choose({ ...form, acceptLanguage: hostile })).toBe('de');
  expect(choose({ ...form, asked: hostile, acceptLanguage: 'fr' })).toBe('fr');
});

// A cost that grows with the square of the length would hang here.
test('a header with a million languages is answered', () => {
  expect(choose({ authorLanguage: 'de', acceptLanguage: 'xx,'.repeat(1_000_000) })).toBe('de');
});
