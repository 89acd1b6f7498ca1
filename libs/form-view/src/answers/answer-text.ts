import { addressLine, truncate, type AnswerKind, type PartName } from '@sheaf/contracts';
import { dateTimeIn, dayIn, listIn, numberIn, timeIn } from '../words/local-formats';

/** The words in which an answer is written within a text. */
export interface AnswerWords {
  locale: string;
  yes: string;
  no: string;
  /** The label of an option; its value, should the form no longer have it. */
  labelOf: (value: string) => string;
}

/** The most characters of an answer within a text, and of the options of which it lists the labels. */
export const maxShown = 200;

/**
 * An answer as it stands within a text, in one line; files by their names, which stand for them in the answer. It is empty without an answer.
 * The script of a page writes answers with it, too, so it needs no words of ours.
 */
export function answerText(kind: AnswerKind, answer: unknown, words: AnswerWords): string {
  if (answer === undefined || answer === null) return '';
  // Nothing much longer is looked at.
  const line = writtenAnswer(kind, answer, words)
    .slice(0, 10 * maxShown)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const short = truncate(line, maxShown);
  return short === line ? line : `${short.trimEnd()}…`;
}

/** The same in full, with its own lines. */
export const writtenAnswer = (kind: AnswerKind, answer: unknown, words: AnswerWords): string => (writers[kind] ?? asText)(answer, words);

type Write = (answer: unknown, words: AnswerWords) => string;

/** The script of a page has no list of countries, but `Intl` knows their names. */
const regionIn = (locale: string, code: string): string =>
  /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames([locale, 'en'], { type: 'region' }).of(code) ?? code) : code;

const asText = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));
const asNumber: Write = (answer, words) => (typeof answer === 'number' ? numberIn(words.locale, answer) : asText(answer));
const asList = (answer: unknown, { locale }: AnswerWords, write: (value: string) => string): string =>
  listIn(
    locale,
    [answer]
      .flat()
      .slice(0, maxShown)
      .map((each) => write(String(each))),
  );

/** Of kinds whose answers can be read as they are, there is none. */
const writers: Readonly<Partial<Record<AnswerKind, Write>>> = {
  country: (answer, { labelOf }) => labelOf(String(answer)),
  number: asNumber,
  whole: asNumber,
  boolean: (answer, { yes, no }) => (answer === true ? yes : answer === false ? no : ''),
  date: (answer, { locale }) => dayIn(locale, String(answer)),
  time: (answer, { locale }) => timeIn(locale, String(answer)),
  datetime: (answer, { locale }) => dateTimeIn(locale, String(answer)),
  date_range: (answer, { locale }) => {
    const { from, to } = answer as Partial<Record<PartName, string>>;
    return [from, to].flatMap((day) => (day === undefined ? [] : dayIn(locale, day))).join(' – ');
  },
  address: (answer, { locale }) => addressLine(answer, (code) => regionIn(locale, code)) || asText(answer),
  option: (answer, { labelOf }) => labelOf(String(answer)),
  options: (answer, words) => asList(answer, words, words.labelOf),
  file: (answer, words) => asList(answer, words, (name) => name),
};
