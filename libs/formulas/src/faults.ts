import type { ResultType } from './tree';

/** A fault of a formula, and its place in the text, counted from 0. */
export type FormulaFault = { at: number } & (
  | { code: 'too_long' | 'too_many_parts' | 'too_deep' | 'value_expected' | 'end_expected' | 'text_unclosed' | 'not_chained' }
  | { code: 'character_unknown'; found: string }
  | { code: 'mark_expected'; expected: string }
  | { code: 'name_unknown' | 'function_unknown' | 'name_unusable' | 'name_of_items' | 'choice_expected' | 'option_unknown'; name: string }
  | { code: 'wrong_count'; name: string; least: number; most: number }
  | { code: 'type_expected'; expected: readonly ResultType[]; found: ResultType }
  | { code: 'result_expected'; expected: ResultType; found: ResultType }
);

const words: Readonly<Record<ResultType, string>> = {
  number: 'a number',
  text: 'a text',
  truth: 'yes or no',
  date: 'a day',
  list: 'several answers',
};

const either = (types: readonly ResultType[]): string => types.map((type) => words[type]).join(' or ');

/** The fault in English, as the API tells it. */
export function formulaFaultText(fault: FormulaFault): string {
  return `is wrong at character ${fault.at + 1}: ${reason(fault)}`;
}

function reason(fault: FormulaFault): string {
  switch (fault.code) {
    case 'too_long':
      return 'a formula has at most 2,000 characters';
    case 'too_many_parts':
      return 'a formula has at most 200 parts';
    case 'too_deep':
      return 'parentheses and functions are at most 30 deep';
    case 'value_expected':
      return 'a number, a text, a key or a function is expected';
    case 'end_expected':
      return 'an operator or the end is expected';
    case 'text_unclosed':
      return 'the text has no closing quotation mark';
    case 'not_chained':
      return 'comparisons are joined by and';
    case 'character_unknown':
      return `${fault.found} has no meaning here`;
    case 'mark_expected':
      return `${fault.expected} is expected`;
    case 'name_unknown':
      return `${fault.name} is the key of no earlier field`;
    case 'function_unknown':
      return `there is no function ${fault.name}`;
    case 'name_unusable':
      return `${fault.name} can only be counted`;
    case 'name_of_items':
      return `${fault.name} is one for each item, which only sum, min, max and count take`;
    case 'choice_expected':
      return `${fault.name} takes the key of a field with options`;
    case 'option_unknown':
      return `no option has the value ${fault.name}`;
    case 'wrong_count':
      return `${fault.name} takes ${numberOf(fault)}`;
    case 'type_expected':
      return `${either(fault.expected)} is expected, but it is ${words[fault.found]}`;
    case 'result_expected':
      return `the format needs ${words[fault.expected]}, but the formula gives ${words[fault.found]}`;
  }
}

function numberOf({ least, most }: { least: number; most: number }): string {
  if (most === Infinity) return `at least ${least} value${least === 1 ? '' : 's'}`;
  return least === most ? `${least} value${least === 1 ? '' : 's'}` : `${least} to ${most} values`;
}
