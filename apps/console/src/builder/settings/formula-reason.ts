import type { FormulaFault, ResultType } from '@sheaf/formulas';

/** The words for what is wrong with a formula. */
export interface FormulaFaultWords {
  types: Readonly<Record<ResultType, string>>;
  too_long: string;
  too_many_parts: string;
  too_deep: string;
  value_expected: string;
  end_expected: string;
  text_unclosed: string;
  not_chained: string;
  character_unknown: (mark: string) => string;
  mark_expected: (mark: string) => string;
  name_unknown: (key: string) => string;
  function_unknown: (name: string) => string;
  name_unusable: (key: string) => string;
  name_of_items: (key: string) => string;
  choice_expected: (name: string) => string;
  option_unknown: (value: string) => string;
  wrong_count: (name: string) => string;
  type_expected: (expected: string, found: string) => string;
}

/** @param either lists what one of is expected */
export function formulaReason(fault: FormulaFault, say: FormulaFaultWords, either: (names: readonly string[]) => string): string {
  switch (fault.code) {
    case 'character_unknown':
      return say.character_unknown(fault.found);
    case 'mark_expected':
      return say.mark_expected(fault.expected);
    case 'name_unknown':
    case 'function_unknown':
    case 'name_unusable':
    case 'name_of_items':
    case 'choice_expected':
    case 'option_unknown':
    case 'wrong_count':
      return say[fault.code](fault.name);
    case 'type_expected':
      return say.type_expected(either(fault.expected.map((type) => say.types[type])), say.types[fault.found]);
    case 'result_expected':
      return say.type_expected(say.types[fault.expected], say.types[fault.found]);
    case 'too_long':
    case 'too_many_parts':
    case 'too_deep':
    case 'value_expected':
    case 'end_expected':
    case 'text_unclosed':
    case 'not_chained':
      return say[fault.code];
  }
}
