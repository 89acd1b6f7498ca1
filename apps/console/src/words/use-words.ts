import { createContext, use } from 'react';
import type { Language, WordList } from './words';

export const LanguageContext = createContext<Language>('en');

export const useLanguage = (): Language => use(LanguageContext);

/** The words of a part of the console in the person's language. */
export function useWords<English>(words: WordList<English>): WordList<English>[Language] {
  return words[useLanguage()];
}
