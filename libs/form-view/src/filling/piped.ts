import {
  answerKindOf,
  cellsIn,
  isComputed,
  isField,
  isFile,
  isMatrix,
  isRepeat,
  isSignature,
  otherKey,
  otherValue,
  partIn,
  type AnswerKind,
  type Answers,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import { answerText } from '../answers/answer-text';
import { writtenResult } from '../answers/calculated';
import { localeOf } from '../words/formats';
import { wordsOf } from '../words/languages';
import { localItem } from '../words/localized';

/** The answers that texts show, by the key of the question. */
export type Piped = Readonly<Record<string, string>>;

/**
 * Writes the answers to these questions for the texts that show them, in the language of the page. Questions without an answer, such as those that
 * are not shown, are left out.
 * @param fileNames the names of uploaded files by the key of the field
 */
export function pipedAnswers(
  keys: ReadonlySet<string>,
  items: readonly FormItem[],
  { answers, fileNames }: { answers: Answers; fileNames: ReadonlyMap<string, readonly string[]> },
  { language, authorLanguage }: { language: string; authorLanguage: string },
): Piped {
  if (keys.size === 0) return {};
  const { yes, no, signature } = wordsOf(language);
  const written = items.flatMap((field): [string, string][] => {
    // The items of a repeat are no text.
    if (!isField(field) || isRepeat(field) || !keys.has(field.key) || !Object.hasOwn(answers, field.key)) return [];
    // Made once: a question may have 1,000 options, and 200 of them may be chosen.
    const labels = new Map(localItem(field, language, authorLanguage).options.map(({ value, label }) => [value, label.text]));
    const labelOf = (value: string) => otherTextOf(field, value, answers) ?? labels.get(value) ?? value;
    const answer = answerIn(field, answers, { fileNames, drawn: signature.drawn });
    const words = { locale: localeOf(language), yes, no, labelOf };
    const { format = 'number', currency } = field;
    return isComputed(field)
      ? [[field.key, answerText('text', writtenResult(answer, { ...words, format, currency }), words)]]
      : [[field.key, answerText(textKindOf(field), answer, words)]];
  });
  return Object.fromEntries(written);
}

/** A matrix is written as the list of its cells, each with the labels of its row and its column: the controls of a page have no more. */
export const textKindOf = (field: Field): AnswerKind => (isMatrix(field) ? 'options' : answerKindOf(field));

/** With the names of files in place of their ids, and a signature as its name or the word for a picture. */
function answerIn(
  field: Field,
  answers: Answers,
  { fileNames, drawn }: { fileNames: ReadonlyMap<string, readonly string[]>; drawn: string },
): unknown {
  const answer = answers[field.key];
  if (isFile(field)) return fileNames.get(field.key) ?? [];
  if (isSignature(field)) return partIn(answer, 'name') ?? drawn;
  return isMatrix(field) ? cellsIn(field, answer) : answer;
}

/** The text of a respondent who chose *Other*. */
function otherTextOf({ key, other }: Field, value: string, answers: Answers): string | undefined {
  const text = other && value === otherValue ? answers[otherKey(key)] : undefined;
  return typeof text === 'string' ? text : undefined;
}
