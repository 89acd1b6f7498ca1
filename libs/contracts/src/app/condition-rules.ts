import { answerRules } from '../answers/answer-rules';
import { normalAnswer } from '../answers/normal-answer';
import type { AnswerKind, Operator } from '../fields/answer-kinds';
import { countriesOf } from '../fields/countries';
import { answerFormOf, answerKindOf, answerTraitsOf } from '../fields/traits';
import type { Operand } from './condition-shape';
import type { Comparison } from './conditions';
import type { Field } from './draft';

/** The values that a condition on a field may compare with. */
export interface Expected {
  description: string;
  fits: (value: unknown) => boolean;
}

const expecting = (description: string, fits: Expected['fits']) => (): Expected => ({ description, fits });

const aString = expecting('a string', (value) => typeof value === 'string');

function anOption({ options = [] }: Field): Expected {
  const known: ReadonlySet<unknown> = new Set(options.map(({ value }) => value));
  return { description: 'the value of an option', fits: (value) => known.has(value) };
}

function aCountry(field: Field): Expected {
  const offered: ReadonlySet<unknown> = new Set(countriesOf(field));
  return { description: 'the code of a country that the field offers', fits: (value) => offered.has(value) };
}

/** The values that an answer to a field can have. */
const expectations: Readonly<Partial<Record<AnswerKind, (field: Field) => Expected>>> = {
  text: aString,
  email: aString,
  url: aString,
  phone: aString,
  country: aCountry,
  number: expecting('a number', (value) => typeof value === 'number'),
  whole: expecting('a whole number', Number.isInteger),
  boolean: expecting('true or false', (value) => typeof value === 'boolean'),
  date: aString,
  time: aString,
  datetime: aString,
  option: anOption,
  options: anOption,
};

/** As for a file, whose answer is the id of an upload that a respondent has yet to make. */
const nothing = expecting('omitted (use answered)', () => false);

/** The values that conditions on the field may have. Keep it: hundreds of conditions may ask for one field with a thousand options. */
export const expectedOf = (field: Field): Expected => (expectations[answerKindOf(field)] ?? nothing)(field);

/** Whether the answers to two fields can be compared with each other. */
export function areComparable(one: Field, other: Field): boolean {
  const { comparedAs: of } = answerTraitsOf(one);
  return of !== undefined && of === answerTraitsOf(other).comparedAs;
}

/** The parts of a comparison whose values no answer to the field can have, or which such answers do not have, with messages. */
export function comparisonFaults(
  comparison: Comparison,
  source: Field,
  { expected = expectedOf(source), fieldOf }: { expected?: Expected; fieldOf?: (key: string) => Field | undefined } = {},
): [part: string, message: string][] {
  const as = `as "${source.key}" is of type ${source.type}`;
  const { operators } = answerTraitsOf(source);
  const { key: _, ...parts } = comparison;
  return (Object.entries(parts) as [Operator, unknown][]).flatMap(([part, value]): [string, string][] => {
    if (value === undefined) return [];
    if (!operators.includes(part)) return [[part, `must be omitted, ${as}`]];
    if (typeof value === 'object' && value !== null && 'key' in value) {
      const other = fieldOf?.(String(value.key));
      if (!other) return [[`${part}.key`, 'must be the key of an earlier field']];
      return areComparable(source, other) ? [] : [[`${part}.key`, `must be the key of a field with answers of the same kind, ${as}`]];
    }
    const fault = valueFault(part, value, source, expected);
    return fault === undefined ? [] : [[part, `${fault}, ${as}`]];
  });
}

function valueFault(part: Operator, value: unknown, source: Field, { description, fits }: Expected): string | undefined {
  switch (part) {
    case 'equals':
    case 'not_equals':
    case 'in':
      return [value].flat().every(fits) ? undefined : `must be ${description}`;
    case 'contains':
    case 'not_contains':
      return fits(value) ? undefined : `must be ${description}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      // Any number is a bound, also of whole numbers. A date that is none would be compared as a text.
      return answerRules(bare(source))(value)?.message;
    case 'answered':
    case 'starts_with':
    case 'chosen_at_least':
    case 'chosen_at_most':
      return undefined;
  }
}

/** The field without bounds of its own. */
const bare = ({ key, label, type, format }: Field): Field => ({
  ...{ key, label, format, required: false },
  type: answerKindOf({ type }) === 'whole' ? 'number' : type,
});

/** The comparison with its values as answers are kept. Otherwise it could ask for a text that no answer has. */
export function normalComparison<Given extends Comparison>(comparison: Given, source: Field): Given {
  const normal = <T>(value: T): T => normalAnswer(answerFormOf(source), value) as T;
  const compared = ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte'] as const;
  const values = compared.flatMap((part): [string, Operand][] => {
    const value = comparison[part];
    return value === undefined ? [] : [[part, normal(value)]];
  });
  const { in: among } = comparison;
  return { ...comparison, ...Object.fromEntries(values), ...(among === undefined ? {} : { in: among.map(normal) }) };
}
