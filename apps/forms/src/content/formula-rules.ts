import { isComputed, type Field } from '@sheaf/contracts';
import { bounds, checkFormula, formulaFaultText, longestText, partsOf, typeOfFormat, type Formula } from '@sheaf/formulas';
import type { Fault } from './faults';

/** A calculated field is answered by nobody, so nothing can be asked of an answer. */
export class FormulaRules {
  /** Of all formulas so far: their parts, and the most characters of the texts that they give. */
  private parts = 0;
  private text = 0;

  constructor(private readonly earlier: ReadonlyMap<string, Field>) {}

  /**
   * The faults of a formula and of what belongs to it.
   * @param times how often it is computed for a submission
   */
  faults(field: Field, times: number): Fault[] {
    const { type, formula, format = 'number', currency } = field;
    if (!isComputed(field)) return [];
    const faults: Fault[] = [];
    if (field.required) faults.push(['required', `must be false for the type ${type}`]);
    if (format === 'currency' && currency === undefined) faults.push(['currency', 'is required for the format currency']);
    if (format !== 'currency' && currency !== undefined) faults.push(['currency', 'is allowed only for the format currency']);
    if (formula === undefined) return [...faults, ['formula', `is required for the type ${type}`]];
    const checked = checkFormula(formula, this.fieldOf);
    if (checked.fault) return [...faults, ['formula', formulaFaultText(checked.fault)]];
    const { gives } = checked.formula;
    if (gives !== typeOfFormat[format])
      faults.push(['format', formulaFaultText({ code: 'result_expected', at: 0, expected: typeOfFormat[format], found: gives })]);
    return [...faults, ...this.extentFaults(checked.formula, times)];
  }

  private readonly fieldOf = (key: string): Field | undefined => this.earlier.get(key);

  private extentFaults({ tree, gives }: Formula, times: number): Fault[] {
    const { partsPerForm, textPerForm } = bounds;
    this.parts += times * partsOf(tree);
    if (this.parts > partsPerForm) return [['formula', `must leave the formulas of all fields together at most ${partsPerForm} parts`]];
    if (gives === 'text') this.text += times * longestText(tree, this.fieldOf);
    if (this.text <= textPerForm) return [];
    return [['formula', `must leave the texts that the formulas of all fields can give together at most ${textPerForm} characters`]];
  }
}
