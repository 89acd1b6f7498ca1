import type { FieldType } from '@sheaf/contracts';
import { readNumber } from './read-number';

/** Whether a number is typed in the way of the page's language; the choices of a rating are the same in all. */
export const isTypedNumber = (type: string | undefined): boolean => type === 'number' || type === 'integer';

/**
 * The answer in the controls of a field, as `/public/v1` expects it; undefined if there is none. What cannot be read stays as it was
 * typed: intake refuses it and says why. Files are no text, and not read here. It has no dependencies, because the script of a page
 * decides by it, too, what a condition shows.
 */
export function answerOf(type: Exclude<FieldType, 'file'>, values: readonly string[], language: string): unknown {
  const [value = ''] = values;
  const plain = value.trim();
  switch (type) {
    case 'multi_select': {
      const chosen = values.filter((each) => each !== '');
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'boolean':
      return plain === 'true' ? true : plain === 'false' ? false : plain === '' ? undefined : plain;
    case 'number':
    case 'integer':
    case 'rating':
      return plain === '' ? undefined : (readNumber(plain, language) ?? plain);
    case 'email':
    case 'url':
    case 'phone':
    case 'date':
    case 'time':
    case 'datetime':
      return plain === '' ? undefined : plain;
    case 'short_text':
    case 'long_text':
    case 'select':
    case 'hidden':
      return value === '' ? undefined : value;
  }
}
