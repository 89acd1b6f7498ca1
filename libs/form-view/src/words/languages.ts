import { ar } from './ar';
import type { WordLanguage } from './counting';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { he } from './he';
import { it } from './it';
import { ja } from './ja';
import { nl } from './nl';
import { pl } from './pl';
import { pt } from './pt';
import { closestTag } from './tags';
import { tr } from './tr';
import { uk } from './uk';
import type { Words } from './words';
import { zh } from './zh';
import { zhHant } from './zh-hant';

const words: Readonly<Record<WordLanguage, Words>> = { en, de, fr, es, it, pt, nl, pl, tr, ar, he, uk, zh, 'zh-Hant': zhHant, ja };

/** The languages that our words are written in. */
export const wordLanguages = Object.keys(words) as readonly WordLanguage[];

/** With their own names, for a choice between them. */
export const languages: readonly { language: WordLanguage; name: string }[] = Object.values(words).map(
  ({ language, languageName: name }) => ({ language, name }),
);

/** The language of our words for readers of a language; English where we have none. */
export const wordLanguageOf = (language: string): WordLanguage => (closestTag(language, wordLanguages) as WordLanguage | undefined) ?? 'en';

/** `language` of the result is the language that the words are really in. */
export const wordsOf = (language: string): Words => words[wordLanguageOf(language)];

/** The language's own name, such as `Deutsch`, also for a language that only the author writes in. */
export function languageNameOf(language: string): string {
  const ours = languages.find((known) => known.language === language);
  if (ours) return ours.name;
  const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(language);
  return name === undefined ? language : name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
