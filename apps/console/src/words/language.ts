import type * as de from './languages/de';
import type * as en from './languages/en';
import type * as es from './languages/es';
import type * as fr from './languages/fr';
import type { Words } from './words';

/** The file of each language of the console. */
interface Files {
  en: typeof en;
  de: typeof de;
  fr: typeof fr;
  es: typeof es;
}

/** Files that have all words, and no others: one that lacks a word, or has one too many, does not compile. */
type Complete<All extends { [Each in keyof All]: Words & Record<Exclude<keyof All[Each], keyof Words>, never> }> = All;

export type Language = keyof Complete<Files>;

export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

export const languages = Object.keys(languageNames) as Language[];

export const isLanguage = (text: unknown): text is Language => languages.includes(text as Language);

/** The language that a browser prefers among those of the console. */
export const preferredLanguage = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
