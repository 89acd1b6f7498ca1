import { wordLanguages, wordsOf } from './languages';

const counts = [0, 1, 2, 3, 5, 11, 21, 100] as const;

/** The plural of "character" for each of the counts, and of 1000 characters. */
const characters: Record<string, readonly string[]> = {
  en: ['0 characters', '1 character', '2 characters', '3 characters', '5 characters', '11 characters', '21 characters', '100 characters'],
  de: ['0 Zeichen', '1 Zeichen', '2 Zeichen', '3 Zeichen', '5 Zeichen', '11 Zeichen', '21 Zeichen', '100 Zeichen'],
  fr: ['0 caractère', '1 caractère', '2 caractères', '3 caractères', '5 caractères', '11 caractères', '21 caractères', '100 caractères'],
  es: ['0 caracteres', '1 carácter', '2 caracteres', '3 caracteres', '5 caracteres', '11 caracteres', '21 caracteres', '100 caracteres'],
  it: ['0 caratteri', '1 carattere', '2 caratteri', '3 caratteri', '5 caratteri', '11 caratteri', '21 caratteri', '100 caratteri'],
  pt: ['0 caractere', '1 caractere', '2 caracteres', '3 caracteres', '5 caracteres', '11 caracteres', '21 caracteres', '100 caracteres'],
  nl: ['0 tekens', '1 teken', '2 tekens', '3 tekens', '5 tekens', '11 tekens', '21 tekens', '100 tekens'],
  pl: ['0 znaków', '1 znak', '2 znaki', '3 znaki', '5 znaków', '11 znaków', '21 znaków', '100 znaków'],
  tr: ['0 karakter', '1 karakter', '2 karakter', '3 karakter', '5 karakter', '11 karakter', '21 karakter', '100 karakter'],
  ar: ['0 حرف', 'حرف واحد', 'حرفين', '3 أحرف', '5 أحرف', '11 حرفًا', '21 حرفًا', '100 حرف'],
  he: ['0 תווים', 'תו אחד', 'שני תווים', '3 תווים', '5 תווים', '11 תווים', '21 תווים', '100 תווים'],
  uk: ['0 символів', '1 символ', '2 символи', '3 символи', '5 символів', '11 символів', '21 символ', '100 символів'],
  zh: ['0 个字符', '1 个字符', '2 个字符', '3 个字符', '5 个字符', '11 个字符', '21 个字符', '100 个字符'],
  'zh-Hant': ['0 個字元', '1 個字元', '2 個字元', '3 個字元', '5 個字元', '11 個字元', '21 個字元', '100 個字元'],
  ja: ['0文字', '1文字', '2文字', '3文字', '5文字', '11文字', '21文字', '100文字'],
};

test.each([...wordLanguages])('%s writes the noun in the plural that the number asks for', (language) => {
  const written = counts.map((count) => wordsOf(language).faults.too_short(count));
  const nouns = characters[language] ?? [];
  expect(nouns).toHaveLength(counts.length);
  // As a whole word: "21 символ" is not part of "21 символів". Chinese and Japanese go on without a space.
  const end = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}])';
  for (const [index, noun] of nouns.entries()) expect(written[index]).toMatch(new RegExp(noun + end, 'u'));
});

test.each([...wordLanguages])('%s has a text for each plural that its numbers have', (language) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const isRomance = ['es', 'fr', 'it', 'pt'].includes(language);
  const needed = pluralCategories.filter((category) => !(isRomance && category === 'many'));
  for (const count of [wordsOf(language).charactersLeft, wordsOf(language).addFiles, wordsOf(language).faults.too_few_choices]) {
    expect(Object.keys(count.forms)).toEqual(expect.arrayContaining(needed));
  }
});

test('a count is written as the language writes numbers', () => {
  expect(wordsOf('en').charactersLeft(12_345)).toBe('You have 12,345 characters left.');
  expect(wordsOf('de').charactersLeft(12_345)).toBe('Noch 12.345 Zeichen übrig.');
});

test('a script can count on with the texts of a count', () => {
  const { forms } = wordsOf('pl').charactersLeft;
  expect(forms).toEqual({ one: 'Pozostał # znak.', few: 'Pozostały # znaki.', many: 'Pozostało # znaków.', other: 'Pozostało # znaku.' });
});

test('a choice between two numbers has the plural of the higher one', () => {
  expect(wordsOf('uk').chooseBetween(2, 5)).toBe('Виберіть від 2 до 5 варіантів.');
  expect(wordsOf('uk').chooseBetween(2, 21)).toBe('Виберіть від 2 до 21 варіанта.');
  expect(wordsOf('ar').chooseBetween(1, 3)).toBe('يُرجى اختيار من 1 إلى 3 خيارات.');
  expect(wordsOf('ar').chooseBetween(1, 12)).toBe('يُرجى اختيار من 1 إلى 12 خيارًا.');
});
