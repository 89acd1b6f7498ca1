import type { Field } from '../app/draft';
import { isRanked } from '../fields/traits';

/**
 * The answer with its options in the order of the form where a page may have shown them in another one, so that the answers of all respondents
 * read alike and repeated ones are the same, whichever release drew the page. The order of a ranking is the answer.
 */
export function optionsInOrder({ type, options = [], shuffle }: Pick<Field, 'type' | 'options' | 'shuffle'>, answer: unknown): unknown {
  if (shuffle !== true || isRanked({ type }) || !Array.isArray(answer)) return answer;
  const places = new Map<unknown, number>(options.map(({ value }, place) => [value, place]));
  const placeIn = (value: unknown) => places.get(value) ?? options.length;
  return [...(answer as unknown[])].sort((a, b) => placeIn(a) - placeIn(b));
}
