/** The languages of the console. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** A sentence, or a function that writes one. */
type Sentence = string | ((...values: never[]) => string);

/** In another language: the same sentences, for the same values. */
type Translated<English> = { readonly [Name in keyof English]: English[Name] extends string ? string : English[Name] };

export type WordList<English> = Readonly<Record<Language, Translated<English>>>;

/** The words of a part of the console, in every language. One that is missing does not compile. */
export const defineWords = <const English extends Readonly<Record<string, Sentence>>>(
  en: English,
  de: Translated<English>,
): WordList<English> => ({ en: en as Translated<English>, de });

/** The language that a browser prefers among those of the console. */
export const preferredLanguage = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';

export const isLanguage = (text: unknown): text is Language => languages.includes(text as Language);

/** The form of a word for a number: `plural('en', 1, { one: 'form', other: 'forms' })`. */
export const plural = (language: Language, count: number, forms: { one: string; other: string }): string =>
  new Intl.PluralRules(language).select(count) === 'one' ? forms.one : forms.other;
