import type { Field } from '@sheaf/contracts';

/** The values of a page's controls by the key of the field: one text for each control that has a value. */
export type Values = ReadonlyMap<string, readonly string[]>;

/** The ids of uploaded files, by the key of the field. */
export type FileIds = ReadonlyMap<string, readonly string[]>;

export interface Read {
  /** The answers to the questions that are shown. */
  answers: Record<string, unknown>;
  /** For each item of the form, whether it is shown. */
  shown: readonly boolean[];
  /** Of each repeat that is shown, what was entered in each item, also if that is nothing. */
  inItems: ReadonlyMap<string, readonly ReadItem[]>;
}

/** An item of a repeat: the answers by the keys of its fields, and for each of these, whether it is shown. */
export type ReadItem = Pick<Read, 'answers' | 'shown'>;

/** An answer, such as the default, as the values of a field's controls. */
export function valuesOf(answer: Field['default'], write: (number: number) => string): string[] {
  if (answer === undefined) return [];
  if (Array.isArray(answer)) return answer;
  return [typeof answer === 'number' ? write(answer) : String(answer)];
}
