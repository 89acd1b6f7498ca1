import {
  answerKindOf,
  answerTraits,
  answerTraitsOf,
  boundFaults,
  countedFaults,
  isRanked,
  ownMessage,
  partLabel,
  partsOf,
  traitsOf,
  type EntryKind,
  type Field,
  type FieldType,
  type OwnMessages,
  type PartKind,
} from '@sheaf/contracts';
import type { Fault } from '../view';
import { formatDay, formatList, formatNumber, formatSize } from './formats';
import { isolated } from './isolated';
import { wordsOf } from './languages';
import { fileTypeNames } from './file-types';
import type { FaultWords, MatrixCode } from './words';

/** The field whose answer is refused. `label` is the one that the page shows, translated or not. */
export interface FaultyField {
  label: string;
  type: FieldType;
  must_be_true?: boolean | undefined;
  parts?: Field['parts'];
  messages?: OwnMessages | undefined;
  /** Of a matrix, with the labels that the page shows. */
  rows?: readonly { value: string; label: string }[] | undefined;
}

/**
 * The fault of an answer, as a sentence that names the field: "Name: enter an answer", but "What is your name? Enter an answer". A code
 * that this version does not know shows its English message.
 */
export function faultSentence(language: string, fault: Fault, field: FaultyField): string {
  const label = bare(field.label);
  const own = authoredText(fault, field);
  if (!/[.!?…؟。！？]$/u.test(label))
    return wordsOf(language).faultOf(
      isolated(language, label),
      own === undefined ? textOf(language, fault, field) : isolated(language, own),
    );
  const space = /[。！？]$/u.test(label) ? '' : ' ';
  return `${isolated(language, label)}${space}${faultText(language, fault, field)}`;
}

/** The same without the name of the field, for a place where the label is near. */
export function faultText(language: string, fault: Fault, field: FaultyField): string {
  const own = authoredText(fault, field);
  if (own !== undefined) return isolated(language, own);
  const text = textOf(language, fault, field);
  // The name of a file is written as it is.
  if (fault.file !== undefined) return text;
  return begun(language, text);
}

/** As it stands at the beginning of a line. */
export const begun = (language: string, text: string): string => `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}`;

/** The text of the author, which stays as it is. A check has no other. */
const authoredText = (fault: Fault, { messages }: FaultyField): string | undefined =>
  ownMessage(messages, fault) ?? fault.authored?.text ?? (fault.code === 'refused' ? fault.message : undefined);

/** The faults of programs, as people read them. Pages send the parts and items that they ask for, and draw pictures of a size that fits. */
const saidAs: ReadonlyMap<string, keyof FaultWords> = new Map([
  ['unknown_part', 'unknown_field'],
  ['not_parts', 'required'],
  ['not_signature', 'required'],
  ['not_items', 'required'],
  ['drawing_too_large', 'not_drawing'],
]);

function textOf(language: string, given: Fault, field: FaultyField): string {
  const fault = { ...given, code: saidAs.get(given.code) ?? given.code };
  const { faults, faultOf } = wordsOf(language);
  if (ofMatrices.has(fault.code)) return faults.required.matrix;
  const text = isKnown(faults, fault.code) ? written(language, faults, fault, field) : fault.message;
  const part = partsOf(field).find(({ name }) => name === fault.params.part);
  if (part) return faultOf(isolated(language, partLabel(part, wordsOf(language).parts)), text);
  return fault.file === undefined ? text : faultOf(isolated(language, fault.file), text);
}

/** The faults of answers that no page that fits the form can send; choosing in each row anew puts them right. */
const ofMatrices: ReadonlySet<string> = new Set<MatrixCode>([
  'not_matrix',
  'not_matrix_list',
  'unknown_row',
  'unknown_column',
  'repeated_column',
]);

/** The labels of the rows that lack an answer. */
function namedRows(language: string, params: Fault['params'], { rows = [] }: FaultyField): string {
  const missing = JSON.parse(String(params.rows)) as string[];
  const labels = rows.filter(({ value }) => missing.includes(value)).map(({ label }) => isolated(language, label));
  // The page marks all of them.
  return Number(params.more) > 0 ? `${labels.join(', ')}, …` : formatList(language, labels);
}

/** Without the marks that authors put between a label and its field. */
const bare = (label: string): string => /^.*[^\s:：*＊]/su.exec(label)?.[0] ?? label;

const isKnown = (faults: FaultWords, code: string): boolean => Object.hasOwn(faults, code);

function written(language: string, faults: FaultWords, fault: Fault, field: FaultyField): string {
  const code = fault.code as keyof FaultWords;
  if (isPlain(faults, code)) return faults[code];
  const { min, max } = fault.params;
  const bound = (value: number | string | undefined) => writtenBound(language, value);
  // An empty list says less than the number of options.
  if (code === 'too_few_choices' && isRanked(field)) return faults.required.ranking;
  if (isIn(countedFaults, code)) return faults[code](Number(fault.params[countedFaults[code]]));
  if (isIn(boundFaults, code)) return faults[code](bound(fault.params[boundFaults[code]]));
  switch (code) {
    case 'required':
      return missing(faults, field, partsOf(field).find(({ name }) => name === fault.params.part)?.kind);
    case 'missing_rows':
      return faults.missing_rows(namedRows(language, fault.params, field));
    case 'not_number':
      return faults.not_number(bound(answerKindOf(field) === 'number' ? 1_234.5 : 1_234));
    case 'not_safe':
      return faults.not_safe(bound(min), bound(max));
    case 'file_too_large':
      return faults.file_too_large(formatSize(language, Number(max)));
    case 'file_type_not_accepted':
      return faults.file_type_not_accepted(
        formatList(language, fileTypeNames(language, String(fault.params.types).split(', ')), 'disjunction'),
      );
  }
}

const isIn = <Codes extends object>(codes: Codes, code: PropertyKey): code is keyof Codes => Object.hasOwn(codes, code);

/** The codes whose sentences name nothing. */
type PlainCode = { [Code in keyof FaultWords]: FaultWords[Code] extends string ? Code : never }[keyof FaultWords];

const isPlain = (faults: FaultWords, code: keyof FaultWords): code is PlainCode => typeof faults[code] === 'string';

const writtenBound = (language: string, value: number | string | undefined): string =>
  typeof value === 'number' ? formatNumber(language, value) : formatDay(language, value ?? '');

function missing({ required, ...faults }: FaultWords, field: FaultyField, part?: PartKind): string {
  if (field.must_be_true) return required.box;
  const asked = part === undefined ? (traitsOf(field).asked ?? answerTraitsOf(field).asked) : answerTraits(part).asked;
  return asked in required ? required[asked as EntryKind] : faults[asked as Exclude<typeof asked, EntryKind>];
}
