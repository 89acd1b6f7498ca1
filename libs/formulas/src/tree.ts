/** A part of a formula; `at` is the place in its text, counted from 0. Pages get it as JSON. */
export type Tree =
  // A number as it is written, as a double could change it.
  | { kind: 'number'; value: string; at: number }
  | { kind: 'text'; value: string; at: number }
  | { kind: 'truth'; value: boolean; at: number }
  // The key of a field, or `guests.price` for the answers in all items of a repeat.
  | { kind: 'name'; key: string; at: number }
  | { kind: 'call'; of: Operation; parts: readonly Tree[]; at: number };

/** The type of a value in a formula. */
export type ResultType = 'number' | 'text' | 'truth' | 'date' | 'list';

export const operators = ['or', 'and', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%'] as const;
export type Operator = (typeof operators)[number];

export const functionNames = [
  'if',
  'sum',
  'min',
  'max',
  'round',
  'floor',
  'ceil',
  'abs',
  'count',
  'coalesce',
  'concat',
  'days_between',
  'today',
  'selected',
  'label',
] as const;
export type FunctionName = (typeof functionNames)[number];

export type Operation = Operator | FunctionName | 'not' | 'negative';

/** The functions that take the answers in all items of a repeat as so many values. */
export const functionsOfItems: readonly Operation[] = ['sum', 'min', 'max', 'count'];

/** The repeat and the field in its items that a name stands for; undefined for the name of a field. */
export function namedInItems(name: string): { repeat: string; key: string } | undefined {
  const [repeat = '', key] = name.split('.');
  return key === undefined ? undefined : { repeat, key };
}

/** How tightly an operator holds its parts together. `not` stands between `and` and the comparisons, and a sign above all. */
export const tightness: Readonly<Record<Operator, number>> = {
  or: 1,
  and: 2,
  '=': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
export const tightnessOfNot = 3;
export const tightnessOfSign = 7;

/**
 * The most that a formula may have, and all formulas of a form together: each submission and each page computes all of them. Texts that they give are
 * added to answers that were as long as a request may be, and a message to subscribers has to hold both: each character takes up to 6 bytes in JSON.
 */
export const bounds = { characters: 2_000, parts: 200, depth: 30, partsPerForm: 5_000, textPerForm: 64_000 };
