import { hasSetting, isComputed, isHidden, type Condition, type FormItem } from '@sheaf/contracts';
import { begun } from './conditions';
import { fieldsIn, type Entry } from './contents';
import type { ChoicePart } from './edits';
import { isElement, type Kind } from './kinds';

/** The beginning of a check: a condition, and the key of the field where its message is shown. */
export interface BegunCheck {
  if: Condition;
  at: string;
}

/** The check that one begins with: on the last field that people see. Undefined if there is none. */
export function begunCheck(entries: readonly Entry[]): BegunCheck | undefined {
  const field = fieldsIn(entries).findLast((each) => !isHidden(each));
  return field && { if: begun(field), at: field.key };
}

/**
 * A new item, which is valid as it is, but for a check and an ending: at once they would refuse answers or take the place of the thank-you, so they
 * wait for their text. A calculated field waits for its formula.
 * @param check undefined if there is no field on which they could depend
 */
export function newItem(
  kind: Kind,
  label: string,
  named: Readonly<Record<ChoicePart, (number: number) => string>>,
  check: BegunCheck | undefined,
): FormItem | undefined {
  if (kind === 'check') return check && { type: kind, ...check, message: '' };
  if (kind === 'ending') return check && { type: kind, name: '', if: check.if, title: '' };
  if (isElement(kind)) return { type: kind, label };
  const common = { key: '', label, required: false };
  if (kind === 'consent') return { ...common, type: 'boolean', required: true, must_be_true: true };
  if (isComputed({ type: kind })) return { ...common, type: kind, formula: '' };
  // Most forms ask for the respondent's own. The author sees it, and takes it away from a question about another.
  if (kind === 'country') return { ...common, type: kind, autocomplete: 'country' };
  const lists = (['options', 'rows', 'columns'] as const).filter((part) => hasSetting({ type: kind }, part));
  const begin = (name: (number: number) => string) => [1, 2].map((number) => ({ value: name(number), label: name(number) }));
  return { ...common, type: kind, ...Object.fromEntries(lists.map((part) => [part, begin(named[part])])) };
}
