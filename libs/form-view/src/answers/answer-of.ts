import { exactNumber, normalAnswer, type Field, type FieldType } from '@sheaf/contracts';
import { numberLiteral } from './read-number';

/** Whether a number is typed in the way of the page's language; the choices of a rating are the same in all. */
export const isTypedNumber = (type: string | undefined): boolean => type === 'number' || type === 'integer';

/** What reading a field's answer depends on. */
export type ReadField = Pick<Field, 'trim'> & { type: Exclude<FieldType, 'file'> };

/**
 * The answer in the controls of a field, as `/public/v1` keeps it; undefined if there is none. What cannot be read stays as it was
 * typed: intake refuses it and says why. Files are no text, and not read here. The script of a page decides by it, too, what a condition
 * shows, so it needs nothing but the rules of numbers and of characters.
 */
export function answerOf(field: ReadField, values: readonly string[], language: string): unknown {
  const { type } = field;
  const [value = ''] = values;
  if (type === 'multi_select') {
    const chosen = values.filter((each) => each !== '');
    return chosen.length === 0 ? undefined : chosen;
  }
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : asText(value.trim());
  if (type === 'number' || type === 'integer' || type === 'rating') {
    const literal = numberLiteral(value, language);
    // A number that would be changed goes on as it was meant, so that intake can say what is wrong with it.
    return literal === undefined ? asText(value.trim()) : (exactNumber(literal) ?? literal);
  }
  return asText(normalAnswer(field, value));
}

const asText = (answer: unknown): unknown => (answer === '' ? undefined : answer);
