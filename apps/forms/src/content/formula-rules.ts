import { isComputed, type Field } from '@sheaf/contracts';
import { checkFormula, formulaFaultText, typeOfFormat, type Formula } from '@sheaf/formulas';
import type { Fault } from './faults';

/** The faults of a formula and of what belongs to it. A calculated field is answered by nobody, so nothing can be asked of an answer. */
export function formulaFaults(field: Field, earlier: ReadonlyMap<string, Field>): Fault[] {
  const { type, formula, format = 'number', currency } = field;
  if (!isComputed(field)) return [];
  const faults: Fault[] = [];
  if (field.required) faults.push(['required', `must be false for the type ${type}`]);
  if (format === 'currency' && currency === undefined) faults.push(['currency', 'is required for the format currency']);
  if (format !== 'currency' && currency !== undefined) faults.push(['currency', 'is allowed only for the format currency']);
  if (formula === undefined) return [...faults, ['formula', `is required for the type ${type}`]];
  const { gives, fault } = givenBy(formula, earlier);
  if (fault !== undefined) faults.push(['formula', fault]);
  else if (gives !== typeOfFormat[format])
    faults.push(['format', formulaFaultText({ code: 'result_expected', at: 0, expected: typeOfFormat[format], found: gives })]);
  return faults;
}

function givenBy(
  formula: string,
  earlier: ReadonlyMap<string, Field>,
): { gives: Formula['gives']; fault?: undefined } | { gives?: undefined; fault: string } {
  const checked = checkFormula(formula, (key) => earlier.get(key));
  return checked.fault ? { fault: formulaFaultText(checked.fault) } : { gives: checked.formula.gives };
}
