import { z } from 'zod';
import { described } from '../described';
import { bool, whole } from '../shapes';
import { conditionBounds } from './condition-bounds';

/** A value to compare with, or the answer to another field. */
export type Operand = string | number | boolean | { key: string };

/**
 * A comparison of the answer to the field `key`, which has exactly one operator, or conditions that are joined: exactly one of `all`, `any` and
 * `not`. One shape for both, as faults are named by their path then, which a union of shapes cannot do.
 */
export interface Condition {
  key?: string | undefined;
  equals?: Operand | undefined;
  not_equals?: Operand | undefined;
  in?: (string | number | boolean)[] | undefined;
  answered?: boolean | undefined;
  gt?: Operand | undefined;
  gte?: Operand | undefined;
  lt?: Operand | undefined;
  lte?: Operand | undefined;
  contains?: string | undefined;
  not_contains?: string | undefined;
  starts_with?: string | undefined;
  chosen_at_least?: number | undefined;
  chosen_at_most?: number | undefined;
  all?: Condition[] | undefined;
  any?: Condition[] | undefined;
  not?: Condition | undefined;
}

/** The key of a field. */
export const fieldKey = () =>
  z
    .string('must be a string')
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a lower-case letter followed by up to 63 lower-case letters, digits or underscores');

const key = () => described(fieldKey(), 'The key of the field in `data`.', 'name');

export const plainValue = () => z.union([z.string(), z.number(), z.boolean()], 'must be a string, a number or a boolean');

const among = () =>
  z.array(plainValue(), 'must be an array').min(1, 'must have at least one value').max(200, 'must have at most 200 values').optional();

/** A comparison with the answer to a field, which texts call `name`: exactly one of its parts. */
export const conditionOn = (name: string) =>
  z
    .object({
      key: key(),
      equals: described(plainValue().optional(), `The answer to the ${name} must equal this value.`),
      not_equals: described(plainValue().optional(), `The answer to the ${name} must differ from this value.`),
      in: described(among(), `The answer to the ${name} must be one of these values.`),
      answered: described(bool().optional(), `Whether the ${name} must be answered.`),
    })
    .refine(
      ({ equals, not_equals, in: values, answered }) =>
        [equals, not_equals, values, answered].filter((part) => part !== undefined).length === 1,
      'must have exactly one of equals, not_equals, in, answered',
    );

const operand = () =>
  z
    .union(
      [
        z.string(),
        z.number(),
        z.boolean(),
        z.object({ key: described(fieldKey(), 'The key of the field with whose answer this one is compared.', 'start') }),
      ],
      'must be a string, a number, a boolean or an object with the key of a field',
    )
    .optional();

const searched = () => z.string('must be a string').min(1, 'must not be empty').max(200, 'must have at most 200 characters').optional();
const choices = () => whole(0, 1_000).optional();
const group = () =>
  z
    .array(
      z.lazy(() => Condition),
      'must be an array',
    )
    .min(1, 'must have at least one condition')
    .max(conditionBounds.terms, `must have at most ${conditionBounds.terms} conditions`)
    .optional();

const operators = [
  ...(['equals', 'not_equals', 'in', 'answered', 'gt', 'gte', 'lt', 'lte', 'contains', 'not_contains', 'starts_with'] as const),
  ...(['chosen_at_least', 'chosen_at_most'] as const),
] as const;
const joints = ['all', 'any', 'not'] as const;

/** Why the parts do not make a condition; undefined if they do. */
function formFault(condition: Condition): string | undefined {
  const given = (names: readonly (keyof Condition)[]) => names.filter((name) => condition[name] !== undefined).length;
  if (condition.key === undefined)
    return given(joints) === 1 && given(operators) === 0 ? undefined : `must have a key, or exactly one of ${joints.join(', ')}`;
  return given(joints) === 0 && given(operators) === 1
    ? undefined
    : `must have exactly one of ${operators.join(', ')} beside the key, and none of ${joints.join(', ')}`;
}

const values = 'The answer must be';

const Parts = z
  .object(
    {
      key: described(fieldKey().optional(), 'The key of the earlier field whose answer is compared, with exactly one operator.'),
      equals: described(operand(), `${values} this value, or the answer to another field (\`{"key": …}\`).`),
      not_equals: described(operand(), `${values} anything else, or absent.`),
      in: described(among(), `${values} one of these values.`),
      answered: described(bool().optional(), 'Whether there must be an answer.'),
      gt: described(operand(), `${values} greater (a number), or later (a date or a time).`),
      gte: described(operand(), `${values} at least this, or no earlier.`),
      lt: described(operand(), `${values} smaller, or earlier.`),
      lte: described(operand(), `${values} at most this, or no later.`),
      contains: described(
        searched(),
        'The text must contain this one, whatever its case and accents; of `multi_select` and `ranking`, the option is chosen.',
      ),
      not_contains: described(searched(), 'The text must not contain this one; of `multi_select` and `ranking`, the option is not chosen.'),
      starts_with: described(searched(), 'The text must begin with this one, whatever its case and accents.'),
      chosen_at_least: described(choices(), 'Of `multi_select` and `ranking`, at least as many options must be chosen.'),
      chosen_at_most: described(choices(), 'Of `multi_select` and `ranking`, at most as many options may be chosen.'),
      all: described(group(), 'All of these conditions must hold.'),
      any: described(group(), 'At least one of these conditions must hold.'),
      not: described(z.lazy(() => Condition).optional(), 'This condition must not hold.'),
    },
    'must be an object',
  )
  .check(({ value, issues }) => {
    const message = formFault(value);
    if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  });

/** Looked at before the shape is: what is too large or too deep costs no more than finding that out. */
const measured = z.transform((value, { issues }) => {
  const message = sizeFault(value);
  if (message !== undefined) issues.push({ code: 'custom', message, input: value });
  return value;
});

/** A condition as it is sent. */
export const Condition: z.ZodType<Condition> = described(
  measured.pipe(Parts),
  'A condition on the answers to earlier fields: a `key` with exactly one operator, or other conditions that are joined by `all`, `any` or `not`. ' +
    `Conditions are joined at most ${conditionBounds.depth} deep, and compare at most ${conditionBounds.terms} answers.`,
  { key: 'visits', equals: true },
);

function sizeFault(condition: unknown): string | undefined {
  let terms = 0;
  const look = (value: unknown, depth: number): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    const { all, any, not } = value as Readonly<Record<string, unknown>>;
    const parts = [
      ...(Array.isArray(all) ? (all as unknown[]) : []),
      ...(Array.isArray(any) ? (any as unknown[]) : []),
      ...(not === undefined ? [] : [not]),
    ] as unknown[];
    if (parts.length === 0) terms += 1;
    else if (depth === conditionBounds.depth) return `must join conditions at most ${conditionBounds.depth} deep`;
    if (terms + parts.length > conditionBounds.terms + 1) return tooMany;
    for (const part of parts) {
      const fault = look(part, depth + 1);
      if (fault !== undefined) return fault;
    }
    return terms > conditionBounds.terms ? tooMany : undefined;
  };
  return look(condition, 0);
}

const tooMany = `must compare at most ${conditionBounds.terms} answers`;
