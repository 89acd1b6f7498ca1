import { createContext, use, type ReactNode } from 'react';
import type { Piped } from './filling/piped';
import type { Frame } from './view';
import { wordLanguageOf, wordsOf } from './words/languages';
import { directionOf } from './words/tags';
import type { Words } from './words/words';

/** The language, the time zone and the surroundings that the parts of a page are written for. */
export interface Reading {
  words: Words;
  /** The language that dates and numbers are written in, and that author's texts are looked up in. */
  language: string;
  /** The `lang` of the document: the language of our words. Texts in another one carry their own. */
  documentLanguage: string;
  direction: 'ltr' | 'rtl';
  authorLanguage: string;
  timeZone: string | undefined;
  isEmbedded: boolean;
  /** The answers that texts of the page show, by the key of the question. */
  piped: Piped;
  /** The address of the picture of an option. */
  pictureAt: Frame['pictureAt'];
  /** The questions on the page whose answers the script shows as they are typed: by their keys in texts, those that they have on the page. */
  live: ReadonlyMap<string, string>;
}

const ReadingContext = createContext<Reading | undefined>(undefined);

export function readingOf(
  {
    language,
    authorLanguage,
    timeZone,
    isEmbedded,
    piped = {},
    pictureAt,
  }: Pick<Frame, 'language' | 'authorLanguage' | 'timeZone' | 'isEmbedded' | 'piped' | 'pictureAt'>,
  live: ReadonlyMap<string, string> = new Map(),
): Reading {
  const words = wordsOf(language);
  // A page may be offered in a language that we have no words for: then our words are in English, and so is the document.
  const isOurs = new Intl.Locale(language).language === new Intl.Locale(wordLanguageOf(language)).language;
  const documentLanguage = isOurs ? language : words.language;
  const direction = directionOf(documentLanguage);
  return { words, language, documentLanguage, direction, authorLanguage, timeZone, isEmbedded, piped, pictureAt, live };
}

export const ReadingProvider = ({ reading, children }: { reading: Reading; children: ReactNode }) => (
  <ReadingContext value={reading}>{children}</ReadingContext>
);

export function useReading(): Reading {
  const reading = use(ReadingContext);
  if (!reading) throw new Error('The parts of a page need a ReadingProvider around them.');
  return reading;
}
