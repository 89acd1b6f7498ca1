import { hasPartControls, partsOf, type Field, type Part } from '@sheaf/contracts';
import type { KeptFile } from '../view';
import type { LocalItem, LocalText } from '../words/localized';

/** The facts that the control of a question needs. */
export interface Control {
  field: Field;
  /** Whether it may stay unanswered; `depends` if other answers decide, and do not let it now. */
  mayBeEmpty: 'always' | 'now' | 'depends' | 'never';
  texts: LocalItem;
  /** The values that are typed or chosen: one string per control. */
  values: readonly string[];
  files: readonly KeptFile[];
  /** The values of options without a place left, which cannot be chosen. */
  full: readonly string[];
  /** The faults of the answer, in our words or the author's. */
  sentences: readonly (string | LocalText)[];
  /** The part of the answer that has the fault, if it is not the whole. */
  faultyPart?: string | undefined;
  /** The short rules of the question that follow from its bounds, in the words of the page. */
  rules: readonly string[];
}

/** The parts whose faults have a place of their own. Those of a signature or a matrix belong to the whole question. */
export const partsWithPlaces = (field: Field): readonly Part[] => (hasPartControls(field) ? partsOf(field) : []);

export const idOf = ({ field }: Control, number = 1): string => (number === 1 ? `f-${field.key}` : `f-${field.key}-${number}`);
export const nameOf = ({ field }: Control): string => `a.${field.key}`;
export const hintIdOf = ({ field }: Control): string => `h-${field.key}`;
export const faultIdOf = ({ field }: Control): string => `e-${field.key}`;

export const hasHint = ({ texts, rules }: Control): boolean => texts.help !== undefined || rules.length > 0;

/** The texts that a screen reader reads after the name of the control: first the hint, then the fault, because it is news. */
export const describedBy = (control: Control, ...others: readonly string[]): string | undefined =>
  [...(hasHint(control) ? [hintIdOf(control)] : []), ...(control.sentences.length > 0 ? [faultIdOf(control)] : []), ...others].join(' ') ||
  undefined;

export const invalid = ({ sentences }: Control): true | undefined => (sentences.length === 0 ? undefined : true);
