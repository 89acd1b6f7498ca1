import { loadWords } from '../words/loading';
import type { Part } from '../words/words';
import { currentLanguage } from './appearance';

/** For `lazy`: code, and the words that it opens with, loaded at the same time. Code in a dialog must not wait for words once it is drawn. */
export const withWords =
  <Module>(words: readonly Part[], load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    const [module] = await Promise.all([load(), ...words.map((part) => loadWords(part, currentLanguage()))]);
    return module;
  };
