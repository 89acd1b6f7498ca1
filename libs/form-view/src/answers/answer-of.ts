import { exactNumber, normalAnswer, type AnswerForm, type AnswerKind } from '@sheaf/contracts';
import { numberLiteral } from './read-number';

/**
 * The answer in the controls of a field, as `/public/v1` keeps it; undefined if there is none. A text that cannot be read stays as
 * it was typed: intake refuses it and says why. Files are no text, and not read here. The script of a page decides by it, too, what a
 * condition shows, so it needs nothing but the rules of numbers and of characters.
 */
export function answerOf({ kind, trim }: AnswerForm, values: readonly string[], language: string): unknown {
  if (hasReader(kind)) return readers[kind](values, language);
  return asText(normalAnswer({ kind, trim }, values[0] ?? '') as string);
}

/** Answers that are the text of their control. Types name them, not an entry each, because each page of a form loads this. */
type OfText = 'text' | 'email' | 'url' | 'phone' | 'country' | 'date' | 'time' | 'datetime' | 'option' | 'file';

const asText = (answer: string): string | undefined => (answer === '' ? undefined : answer);

function number([value = '']: readonly string[], language: string): unknown {
  const literal = numberLiteral(value, language);
  // A number that would be changed goes on as it was meant, so that intake can say what is wrong with it.
  return literal === undefined ? asText(value.trim()) : (exactNumber(literal) ?? literal);
}

const readers: Readonly<Record<Exclude<AnswerKind, OfText>, (values: readonly string[], language: string) => unknown>> = {
  number,
  whole: number,
  boolean: ([value = '']) => (value === 'true' ? true : value === 'false' ? false : asText(value.trim())),
  options(values) {
    const chosen = values.filter((each) => each !== '');
    return chosen.length === 0 ? undefined : chosen;
  },
};

const hasReader = (kind: AnswerKind): kind is keyof typeof readers => kind in readers;
