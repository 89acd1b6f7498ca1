import { answerKindOf, isRanked, ownMessage, traitsOf, type AnswerKind, type FieldType, type OwnMessages } from '@sheaf/contracts';
import type { Fault } from '../view';
import { formatDay, formatList, formatNumber, formatSize } from './formats';
import { isolated } from './isolated';
import { wordsOf } from './languages';
import { fileTypeNames } from './file-types';
import type { FaultWords } from './words';

/** The field whose answer is refused. `label` is the one that the page shows, translated or not. */
export interface FaultyField {
  label: string;
  type: FieldType;
  must_be_true?: boolean | undefined;
  messages?: OwnMessages | undefined;
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
  return `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}`;
}

/** The text of the author, which stays as it is. A check has no other. */
const authoredText = (fault: Fault, { messages }: FaultyField): string | undefined =>
  ownMessage(messages, fault.code) ?? fault.authored?.text ?? (fault.code === 'refused' ? fault.message : undefined);

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
    case 'too_few_choices':
      // An empty list says less than the number of options.
      return isRanked(field) ? faults.required.ranking : faults.too_few_choices(Number(min));
    case 'too_short':
      return faults.too_short(Number(min));
    case 'too_long':
    case 'too_many_choices':
    case 'too_many_files':
      return faults[code](Number(max));
    case 'not_number':
      return faults.not_number(bound(answerKindOf(field) === 'number' ? 1_234.5 : 1_234));
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

const missing = ({ required, ...faults }: FaultWords, field: FaultyField): string => asks[answerKindOf(field)](required, faults, field);

type Ask = (required: FaultWords['required'], faults: Omit<FaultWords, 'required'>, field: FaultyField) => string;

const number: Ask = (required, _, field) => (traitsOf(field).given === 'chosen' ? required.choice : required.number);

const asks: Readonly<Record<AnswerKind, Ask>> = {
  text: ({ text }) => text,
  // These sentences say best what is expected.
  email: (_, { not_email: text }) => text,
  url: (_, { not_url: text }) => text,
  phone: (_, { not_phone: text }) => text,
  country: (_, { not_country: text }) => text,
  number,
  whole: number,
  boolean: ({ box, choice }, _, { must_be_true: mustBeTrue }) => (mustBeTrue ? box : choice),
  date: ({ date }) => date,
  time: ({ time }) => time,
  datetime: ({ datetime }) => datetime,
  option: ({ choice }) => choice,
  options: ({ choices, ranking }, _, field) => (isRanked(field) ? ranking : choices),
  file: ({ file }) => file,
};
