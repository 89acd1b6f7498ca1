import type { WordLanguage } from './counting';
import { en } from './en';
import { closestTag } from './tags';
import type { Words } from './words';

const words: Readonly<Partial<Record<WordLanguage, Words>>> = { en };

/** The languages that our words are written in. */
export const wordLanguages = Object.keys(words) as readonly WordLanguage[];

/** With their own names, for a choice between them. */
export const languages: readonly { language: WordLanguage; name: string }[] = Object.values(words).map(
  ({ language, languageName: name }) => ({
    language,
    name,
  }),
);

/** The language of our words for readers of a language; English where we have none. */
export const wordLanguageOf = (language: string): WordLanguage => (closestTag(language, wordLanguages) as WordLanguage | undefined) ?? 'en';

/** `language` of the result is the language that the words are really in. */
export const wordsOf = (language: string): Words => words[wordLanguageOf(language)] ?? en;

/** The language's own name, such as `Deutsch`, also for a language that only the author writes in. */
export function languageNameOf(language: string): string {
  const ours = languages.find((known) => known.language === language);
  if (ours) return ours.name;
  const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(language);
  return name === undefined ? language : name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
