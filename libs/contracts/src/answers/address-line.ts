import type { AddressPart } from '../fields/answer-kinds';
import { partIn } from './part-in';

/** An address in one line, such as "Main St 1, 12345 Berlin, Germany"; empty for anything else. @param country the name of a country by its code */
export function addressLine(answer: unknown, country: (code: string) => string): string {
  const part = (name: AddressPart): string => {
    const given = partIn(answer, name);
    return typeof given === 'string' ? given : '';
  };
  const joined = (parts: readonly string[], between: string) => parts.filter((each) => each !== '').join(between);
  const code = part('country');
  const town = joined([part('postal_code'), part('city')], ' ');
  return joined([part('line1'), part('line2'), town, part('region'), code && country(code)], ', ');
}
