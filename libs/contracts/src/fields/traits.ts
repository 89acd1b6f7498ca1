import type { Field, InnerField, FormCheck, FormElement, FormEnding, FormItem } from '../app/draft';
import { plainLabel } from '../texts/formatted-text';
import { wordedPipes } from '../texts/piping';
import {
  addressParts,
  answerTraits,
  listedKindOf,
  partsOfKind,
  type AnswerKind,
  type AnswerTraits,
  type AddressPart,
  type Part,
  type PartName,
} from './answer-kinds';
import { matrixOf, type MatrixForm } from './matrix';
import { fieldKinds, type FieldKind, type FieldType, type Format, type Setting } from './field-kinds';

interface Typed extends Pick<Field, 'type'> {
  format?: Format | undefined;
}

/** The facts that decide about the parts of answers. */
export interface Parted extends Typed {
  rows?: readonly { value: string; label: string }[] | undefined;
  columns?: readonly { value: string; label: string }[] | undefined;
  multiple?: boolean | undefined;
  parts?: readonly AskedPart[] | undefined;
}

/** A part of an address for which a field asks. */
interface AskedPart {
  part: AddressPart;
  required?: boolean | undefined;
}

export const isField = (item: FormItem): item is Field => Object.hasOwn(fieldKinds, item.type);

export const isCheck = (item: Pick<FormItem, 'type'>): item is FormCheck => item.type === 'check';

export const isEnding = (item: Pick<FormItem, 'type'>): item is FormEnding => item.type === 'ending';

/** Whether people can come across it while they fill in the form: not a rule about their answers. */
export const isOnPages = (item: FormItem): item is Field | FormElement => !isCheck(item) && !isEnding(item);

export const fieldsOf = (items: readonly FormItem[]): Field[] => items.filter(isField);

export const traitsOf = ({ type }: Typed): FieldKind => fieldKinds[type];

export const answerKindOf = (field: Typed): AnswerKind =>
  field.format !== undefined && isComputed(field) ? kindOfFormat[field.format] : traitsOf(field).answer;

/** The facts about the answers to a field. */
export const answerTraitsOf = (field: Typed): AnswerTraits => answerTraits(answerKindOf(field));

const kindOfFormat: Readonly<Record<Format, AnswerKind>> = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  text: 'text',
  date: 'date',
  boolean: 'boolean',
};

/** Whether `submissions` computes the answer, whatever anybody sends. */
export const isComputed = ({ type }: Pick<FormItem, 'type'>): boolean =>
  Object.hasOwn(fieldKinds, type) && fieldKinds[type as FieldType].given === 'computed';

/** The type whose answers are alike, for whoever knows a field by its type alone. */
export const plainTypeOf = (field: Typed): FieldType => (isComputed(field) ? (plainTypes[answerKindOf(field)] ?? field.type) : field.type);

const plainTypes: Partial<Record<AnswerKind, FieldType>> = { number: 'number', text: 'short_text', date: 'date', boolean: 'boolean' };

/** The traits of a field on which reading an answer depends. */
export interface AnswerForm {
  kind: AnswerKind;
  trim?: boolean | undefined;
  /** Of an answer that is an object. */
  parts?: readonly Part[] | undefined;
  /** Of an answer that has a column for each row. */
  matrix?: MatrixForm | undefined;
}

export const answerFormOf = (field: Parted & Partial<Pick<Field, 'trim'>>): AnswerForm => ({
  kind: answerKindOf(field),
  trim: field.trim,
  parts: hasParts(field) ? partsOf(field) : undefined,
  matrix: isMatrix(field) ? matrixOf(field) : undefined,
});

export const hasSetting = (field: Typed, setting: Setting): boolean => traitsOf(field).settings.includes(setting);

/** Whether one of its options has a limit. */
export const hasPlaces = ({ options = [] }: Pick<Field, 'options'>): boolean => options.some(({ limit }) => limit !== undefined);

/** Whether the order of the options in an answer has a meaning: best first. */
export const isRanked = (field: Typed): boolean => hasSetting(field, 'ranks');

/** How many options an answer may have. A ranking has as many as it asks for, so that the ranks of all answers can be compared. */
export function choiceBounds(field: Pick<Field, 'type' | 'options' | 'ranks' | 'min_choices' | 'max_choices'>): {
  min?: number | undefined;
  max?: number | undefined;
} {
  const { options = [], ranks = options.length, min_choices: min, max_choices: max } = field;
  if (!isRanked(field)) return { min, max };
  const asked = Math.min(ranks, options.length);
  return { min: asked, max: asked };
}

/** Whether an answer is an object with parts, of which each is given by itself. */
export const hasParts = (field: Typed): boolean => answerTraitsOf(field).parts !== undefined || isMatrix(field);

/** Whether people give each part by itself, in a control of its own kind. */
export const hasPartControls = (field: Typed): boolean => answerTraitsOf(field).control === 'parts';

/** The parts of the answers to a field, in their order; none if they are no objects. */
export function partsOf(field: Parted): readonly Part[] {
  if (isMatrix(field))
    return (field.rows ?? []).map(({ value, label }) => ({
      name: value,
      kind: field.multiple ? 'options' : 'option',
      required: false,
      label,
    }));
  const all = partsOfKind(answerKindOf(field));
  if (!hasSetting(field, 'parts')) return all;
  const kinds = new Map(all.map(({ name, kind }) => [name, kind]));
  return (field.parts ?? usualParts).map(({ part, required = false }) => ({ name: part, kind: kinds.get(part) ?? 'text', required }));
}

/** For which an address asks unless its author says otherwise. */
const usualParts: readonly AskedPart[] = addressParts.map((part) => ({ part, required: part !== 'line2' && part !== 'region' }));

/** The text that people read for a part, in these words for the names that all forms share. */
export const partLabel = ({ name, label }: Pick<Part, 'name' | 'label'>, words: Readonly<Record<PartName, string>>): string =>
  label ?? (Object.hasOwn(words, name) ? words[name as PartName] : name);

/** Whether an answer is of several values, or has several parts. */
export const hasSeveralValues = (field: Typed): boolean =>
  answerKindOf(field) === 'options' || hasPartControls(field) || isMatrix(field) || isRepeat(field);

/** Whether an answer has a column for each row. */
export const isMatrix = (field: Typed): boolean => answerKindOf(field) === 'matrix';

/** Whether it has fields of its own, which are answered once for each item. */
export const isRepeat = (field: Typed): boolean => answerKindOf(field) === 'items';

/** The fields of each item of a repeat; none of any other field. */
export const fieldsOfItem = ({ fields = [] }: Pick<Field, 'fields'>): readonly InnerField[] => fields;

/** The items of a form, each repeat with the fields of its items behind it. */
export const withFieldsOfItems = (items: readonly FormItem[]): FormItem[] =>
  items.flatMap((item): FormItem[] => (isField(item) ? [item, ...fieldsOfItem(item)] : [item]));

/** The place of an answer in an item, counted from 0: the name of its input, and of its fault. */
export const keyInItem = (repeat: string, item: number, key: string): string => `${repeat}[${item}].${key}`;

/** The key of the field in whose answer a place is: of an answer in an item, that of the repeat. */
export const fieldAt = (place: string): string => place.split('[', 1)[0] ?? place;

/** Whether an answer is a file, or a list of them. */
export const isFile = (field: Typed): boolean => answerKindOf(field) === 'file';

/** Whether an answer is a name, or the picture of a signature. */
export const isSignature = (field: Typed): boolean => answerKindOf(field) === 'signature';

/** Whether an answer may name files, which are uploaded for the field before. */
export const hasFiles = (field: Typed): boolean => answerTraitsOf(field).hasFiles === true;

/** Whether respondents do not see it. Elements can be seen. */
export const isHidden = ({ type, shown }: Pick<FormItem, 'type'> & { shown?: boolean | undefined }): boolean =>
  Object.hasOwn(fieldKinds, type) && (fieldKinds[type as FieldType].given === 'hidden' || (type === 'calculated' && shown === false));

/** Whether the address of the form has the answer, which respondents neither see nor give. */
export const isFromAddress = ({ type }: Typed): boolean => fieldKinds[type].given === 'hidden';

/** Respondents neither see nor fill in hidden fields, which take their answer from the address. A file cannot be there, a ranking that is there already would be left as it is, and an address names no parts. */
export const canBePrefilled = (field: Typed): boolean => ['typed', 'chosen'].includes(traitsOf(field).given) && canHaveDefault(field);

export const canHaveDefault = (field: Typed): boolean =>
  !isFile(field) && !isComputed(field) && !isRanked(field) && !hasParts(field) && !isRepeat(field);

/** Whether the label may have emphasis and links: that of a consent, and the text of a statement. */
export const hasFormattedLabel = (item: Pick<FormItem, 'type'> & { must_be_true?: boolean | undefined }): boolean =>
  item.type === 'statement' || item.must_be_true === true;

/** The label as people read it where nothing can be formatted, and no answers can be shown. */
export const labelTextOf = (item: Parameters<typeof hasFormattedLabel>[0] & { label: string }): string =>
  wordedPipes(hasFormattedLabel(item) ? plainLabel(item.label) : item.label);

export const isNumeric = (field: Typed): boolean => answerTraitsOf(field).comparedAs === 'number';

/** Whether a number is typed in the way of the page's language; the choices of a rating are the same in all. */
export const isTypedNumber = (field: Typed): boolean => isNumeric(field) && traitsOf(field).given === 'typed';

export const isTemporal = (field: Typed): boolean => isMoment(answerKindOf(field));

const isMoment = (kind: AnswerKind): boolean => ['date', 'time', 'datetime'].includes(kind);

/** Whether lists of submissions can be sorted by the answers, and have those between two of them. A date range counts by its first day. */
export const isOrdered = (field: Typed): boolean => isNumeric(field) || isMoment(listedKindOf(answerKindOf(field)));

/** The bounds of a number: those of the field, or else of its type. */
export const boundsOf = (field: Pick<Field, 'type' | 'min' | 'max'>): { min?: number | undefined; max?: number | undefined } => ({
  min: field.min ?? traitsOf(field).bounds?.min,
  max: field.max ?? traitsOf(field).bounds?.max,
});

/** Whether the answer can be an amount to pay: it is a number that nobody gives. */
export const isAmount = (field: Pick<Field, 'type' | 'format'>): boolean =>
  isComputed(field) && (field.format === undefined || field.format === 'number' || field.format === 'currency');
