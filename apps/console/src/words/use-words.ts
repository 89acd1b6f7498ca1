import { createContext, use } from 'react';
import type { Language } from './language';
import { loadWords } from './loading';
import type { Part, Words } from './words';

export const LanguageContext = createContext<Language>('en');

export const useLanguage = (): Language => use(LanguageContext);

/**
 * The words of a part of the console in the person's language. A component that shows them waits for them, as it does for code that is
 * loaded later.
 */
export function useWords<P extends Part>(part: P): Words[P] {
  return use(loadWords(part, useLanguage()));
}
