import type { FieldType } from '@sheaf/contracts';
import type { Fault } from '../view';
import { formatDay, formatList, formatNumber, formatSize } from './formats';
import { isolated } from './isolated';
import { wordsOf } from './languages';
import { fileTypeNames } from './file-types';
import type { AnswerKind, FaultWords } from './words';

/** The field whose answer is refused. `label` is the one that the page shows, translated or not. */
export interface FaultyField {
  label: string;
  type: FieldType;
  must_be_true?: boolean | undefined;
}

/**
 * What is wrong with an answer, as a sentence that names the field: "Name: enter an answer", but "What is your name? Enter an answer". A code
 * that this version does not know shows its English message.
 */
export function faultSentence(language: string, fault: Fault, field: FaultyField): string {
  const label = bare(field.label);
  if (!/[.!?…؟。！？]$/u.test(label)) return wordsOf(language).faultOf(isolated(language, label), textOf(language, fault, field));
  const space = /[。！？]$/u.test(label) ? '' : ' ';
  return `${isolated(language, label)}${space}${faultText(language, fault, field)}`;
}

/** The same without the name of the field, for a place where the label is near. */
export function faultText(language: string, fault: Fault, field: FaultyField): string {
  const text = textOf(language, fault, field);
  // The name of a file is written as it is.
  if (fault.file !== undefined) return text;
  return `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}`;
}

function textOf(language: string, fault: Fault, field: FaultyField): string {
  const { faults, faultOf } = wordsOf(language);
  const text = isKnown(faults, fault.code) ? written(language, faults, fault, field) : fault.message;
  return fault.file === undefined ? text : faultOf(isolated(language, fault.file), text);
}

/** Without the marks that authors put between a label and its field. */
const bare = (label: string): string => /^.*[^\s:：*＊]/su.exec(label)?.[0] ?? label;

const isKnown = (faults: FaultWords, code: string): boolean => Object.hasOwn(faults, code);

function written(language: string, faults: FaultWords, fault: Fault, field: FaultyField): string {
  const code = fault.code as keyof FaultWords;
  if (isPlain(faults, code)) return faults[code];
  const { min, max } = fault.params;
  const bound = (value: number | string | undefined) => writtenBound(language, value);
  switch (code) {
    case 'required':
      return missing(faults, field);
    case 'too_short':
    case 'too_few_choices':
      return faults[code](Number(min));
    case 'too_long':
    case 'too_many_choices':
    case 'too_many_files':
      return faults[code](Number(max));
    case 'not_number':
      return faults.not_number(bound(field.type === 'number' ? 1_234.5 : 1_234));
    case 'not_safe':
      return faults.not_safe(bound(min), bound(max));
    case 'too_small':
    case 'too_early':
      return faults[code](bound(min));
    case 'too_large':
    case 'too_late':
      return faults[code](bound(max));
    case 'file_too_large':
      return faults.file_too_large(formatSize(language, Number(max)));
    case 'file_type_not_accepted':
      return faults.file_type_not_accepted(
        formatList(language, fileTypeNames(language, String(fault.params.types).split(', ')), 'disjunction'),
      );
  }
}

/** The codes whose sentences name nothing. */
type PlainCode = { [Code in keyof FaultWords]: FaultWords[Code] extends string ? Code : never }[keyof FaultWords];

const isPlain = (faults: FaultWords, code: keyof FaultWords): code is PlainCode => typeof faults[code] === 'string';

const writtenBound = (language: string, value: number | string | undefined): string =>
  typeof value === 'number' ? formatNumber(language, value) : formatDay(language, value ?? '');

function missing(faults: FaultWords, field: FaultyField): string {
  switch (field.type) {
    // These sentences say best what is expected.
    case 'email':
      return faults.not_email;
    case 'url':
      return faults.not_url;
    case 'phone':
      return faults.not_phone;
    case 'short_text':
    case 'long_text':
    case 'number':
    case 'integer':
    case 'rating':
    case 'boolean':
    case 'date':
    case 'time':
    case 'datetime':
    case 'select':
    case 'multi_select':
    case 'file':
    case 'hidden':
      return faults.required[kindOf(field)];
  }
}

function kindOf({ type, must_be_true }: FaultyField): AnswerKind {
  switch (type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'date':
    case 'time':
    case 'datetime':
    case 'file':
      return type;
    case 'boolean':
      return must_be_true ? 'box' : 'choice';
    case 'select':
    case 'rating':
      return 'choice';
    case 'multi_select':
      return 'choices';
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'hidden':
      return 'text';
  }
}
