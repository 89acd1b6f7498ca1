import { normalAnswer } from '../answers/normal-answer';
import { type AnswerKind } from '../fields/field-kinds';
import { answerFormOf, answerKindOf } from '../fields/traits';
import type { Condition } from './conditions';
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

/** The values that an answer to a field can have. */
const expectations: Readonly<Record<AnswerKind, (field: Field) => Expected>> = {
  text: aString,
  email: aString,
  url: aString,
  phone: aString,
  number: expecting('a number', (value) => typeof value === 'number'),
  whole: expecting('a whole number', Number.isInteger),
  boolean: expecting('true or false', (value) => typeof value === 'boolean'),
  date: aString,
  time: aString,
  datetime: aString,
  option: anOption,
  options: anOption,
  // The answer is the id of a file that a respondent has yet to upload.
  file: expecting('omitted (use answered)', () => false),
};

/** The values that conditions on the field may have. Keep it: hundreds of conditions may ask for one field with a thousand options. */
export const expectedOf = (field: Field): Expected => expectations[answerKindOf(field)](field);

/** The parts of a condition whose values no answer to the field can have, with messages. */
export const conditionFaults = (condition: Condition, source: Field, expected: Expected): [part: string, message: string][] =>
  (['equals', 'not_equals', 'in'] as const).flatMap((part): [string, string][] => {
    const value = condition[part];
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.every(expected.fits) ? [] : [[part, `must be ${expected.description}, as "${source.key}" is of type ${source.type}`]];
  });

/** The condition with its values as answers are kept. Otherwise it could ask for a text that no answer has. */
export function normalCondition(condition: Condition, source: Field): Condition {
  const { equals, not_equals, in: among } = condition;
  const normal = <T>(value: T): T => normalAnswer(answerFormOf(source), value) as T;
  return {
    ...condition,
    ...(equals === undefined ? {} : { equals: normal(equals) }),
    ...(not_equals === undefined ? {} : { not_equals: normal(not_equals) }),
    ...(among === undefined ? {} : { in: among.map(normal) }),
  };
}
