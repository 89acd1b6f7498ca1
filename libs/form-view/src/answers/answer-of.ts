import { exactNumber, normalAnswer, type AnswerForm, type AnswerKind } from '@sheaf/contracts';
import { numberLiteral } from './read-number';

/**
 * The answer in the controls of a field, as `/public/v1` keeps it; undefined if there is none. A text that cannot be read stays as
 * it was typed: intake refuses it and says why. Files are no text, and not read here. The script of a page decides by it, too, what a
 * condition shows, so it needs nothing but the rules of numbers and of characters.
 */
export function answerOf({ kind, trim }: AnswerForm, values: readonly string[], language: string): unknown {
  const read = readers[kind];
  return read ? read(values, language) : asText(normalAnswer({ kind, trim }, values[0] ?? '') as string);
}

const asText = (answer: string): string | undefined => (answer === '' ? undefined : answer);

function number([value = '']: readonly string[], language: string): unknown {
  const literal = numberLiteral(value, language);
  // A number that would be changed goes on as it was meant, so that intake can say what is wrong with it.
  return literal === undefined ? asText(value.trim()) : (exactNumber(literal) ?? literal);
}

/** Of kinds whose answers are the text of their control, there is none: each page of a form loads this. */
const readers: Readonly<Partial<Record<AnswerKind, (values: readonly string[], language: string) => unknown>>> = {
  number,
  whole: number,
  boolean: ([value = '']) => (value === 'true' ? true : value === 'false' ? false : asText(value.trim())),
  options(values) {
    const chosen = values.filter((each) => each !== '');
    return chosen.length === 0 ? undefined : chosen;
  },
};
