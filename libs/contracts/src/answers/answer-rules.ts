import { isId, urlIn } from '@sheaf/kernel';
import type { Field } from '../app/draft';
import { readDateTime } from '../date-time';
import type { AnswerKind } from '../fields/answer-kinds';
import { countriesOf } from '../fields/countries';
import { maxFilesPerField } from '../fields/field-kinds';
import { answerKindOf, boundsOf, choiceBounds, partsOf, traitsOf } from '../fields/traits';
import { isLonger, isShorter, truncate } from '../length';
import { answerFault, faultInPart, type AnswerRefusal } from '../public/answer-faults';
import { isBlank } from '../blank';
import { exactNumber, isNumberLiteral } from './exact-number';
import { partIn } from './part-in';

/** Why an answer is refused; undefined if it is valid. */
type Fault = AnswerRefusal | undefined;
type Check = (answer: unknown) => Fault;

/** Without what an address has in quotation marks only, which mail programs put around it in lists. */
const emailAddress = /^[^\s@<>()[\];:,"\\]+@[^\s@.<>()[\];:,"\\]+(?:\.[^\s@.<>()[\];:,"\\]+)+$/;

/** The fault of an answer to the field in its normal form, apart from the field's pattern; undefined if it has none. */
export const answerRules = (field: Field): Check => checks[answerKindOf(field)](field);

const checks: Readonly<Record<AnswerKind, (field: Field) => Check>> = {
  text: (field) => text(field),
  email: (field) => text(field, matching(emailAddress, 'not_email')),
  url: (field) => text(field, (answer) => (isWebAddress(answer) ? undefined : answerFault('not_url'))),
  phone: (field) => text(field, matching(/^\+? ?\(?[0-9][0-9 ()./-]{2,30}$/, 'not_phone')),
  country: (field) => among(countriesOf(field), 'not_country'),
  number: (field) => number(field),
  whole: (field) => number(field, true),
  boolean:
    ({ must_be_true: mustBeTrue }) =>
    (answer) =>
      typeof answer !== 'boolean' ? answerFault('not_boolean') : mustBeTrue && !answer ? answerFault('not_true') : undefined,
  date: (field) => within(field, date),
  time: () => time,
  datetime: (field) => within(field, dateTime),
  date_range: dateRange,
  address,
  option: (field) => oneOf(field),
  options: someOf,
  matrix,
  signature,
  items,
  file: ({ multiple, max_files: max }) => (multiple ? files(max ?? maxFilesPerField) : file),
};

function text(field: Field, further: (answer: string) => Fault = () => undefined): Check {
  const min = field.min_length ?? 0;
  const max = Math.min(field.max_length ?? Infinity, traitsOf(field).maxLength ?? Infinity);

  return (answer) => {
    if (typeof answer !== 'string') return answerFault('not_text');
    if (answer.includes('\0') || !answer.isWellFormed()) return answerFault('not_unicode');
    if (isShorter(answer, min)) return answerFault('too_short', { min });
    if (isLonger(answer, max)) return answerFault('too_long', { max });
    return further(answer);
  };
}

const matching = (shape: RegExp, code: 'not_email' | 'not_phone') => (answer: string) =>
  shape.test(answer) ? undefined : answerFault(code);

const isWebAddress = (answer: string): boolean => /^https?:\/\//i.test(answer) && urlIn(answer) !== undefined;

const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

function number(field: Field, isWhole = false): Check {
  const { min, max } = boundsOf(field);
  return (answer) => {
    // Pages send what they cannot keep exactly as it was typed.
    if (typeof answer === 'string' && isNumberLiteral(answer) && exactNumber(answer) === undefined)
      return isWhole ? answerFault('not_safe', safe) : answerFault('not_exact');
    if (typeof answer !== 'number' || !Number.isFinite(answer)) return answerFault('not_number');
    if (isWhole && !Number.isInteger(answer)) return answerFault('not_whole');
    if (isWhole && !Number.isSafeInteger(answer)) return answerFault('not_safe', safe);
    if (min !== undefined && answer < min) return answerFault('too_small', { min });
    if (max !== undefined && answer > max) return answerFault('too_large', { max });
    return undefined;
  };
}

const date = (answer: unknown): Fault =>
  typeof answer === 'string' && /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(answer) && readDateTime(`${answer}T00:00:00`) !== undefined
    ? undefined
    : answerFault('not_date');

const time = (answer: unknown): Fault =>
  typeof answer === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(answer) ? undefined : answerFault('not_time');

/** Compares the day as it was written, in the respondent's own time zone. */
function within({ min_date: min, max_date: max }: Field, isValid: (answer: unknown) => Fault): Check {
  if (min === undefined && max === undefined) return isValid;
  return (answer) => {
    const fault = isValid(answer);
    if (fault) return fault;
    const day = String(answer).slice(0, 10);
    if (min !== undefined && day < min) return answerFault('too_early', { min });
    if (max !== undefined && day > max) return answerFault('too_late', { max });
    return undefined;
  };
}

const dayLength = 86_400_000;

/** An answer with parts: none that its field does not ask for, and what is said by the check. `whole` is the code for one that is no object. */
function inParts(
  field: Field,
  whole: 'not_date_range' | 'not_parts' | 'not_signature',
  check: (answer: Readonly<Record<string, unknown>>) => Fault,
): Check {
  const parts = partsOf(field);
  const names = new Set(parts.map(({ name }) => name));
  return (answer) => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answerFault(whole);
    const unknown = Object.keys(answer).find((name) => !names.has(name));
    if (unknown !== undefined) return answerFault('unknown_part', { part: truncate(unknown, 64) });
    return check(answer as Readonly<Record<string, unknown>>);
  };
}

/** From the first to the last day, both of which count. */
function dateRange(field: Field): Check {
  const { max_days: max } = field;
  const day = within(field, date);
  return inParts(field, 'not_date_range', ({ from, to }) => {
    if (date(from) || date(to)) return answerFault('not_date_range');
    if (String(to) < String(from)) return answerFault('ends_before_start');
    const days = (Date.parse(String(to)) - Date.parse(String(from))) / dayLength + 1;
    return day(from) ?? day(to) ?? (max !== undefined && days > max ? answerFault('too_many_days', { max }) : undefined);
  });
}

/** The most characters of a text that is a part of an answer. */
const maxPartLength = 200;

/** An answer has all parts that it must have, whether the field itself must be answered or not. */
function address(field: Field): Check {
  const country = among(countriesOf({}), 'not_country');
  const ofText = text({ ...field, min_length: undefined, max_length: maxPartLength });
  return inParts(field, 'not_parts', (answer) => {
    for (const { name, kind, required } of partsOf(field)) {
      const part = partIn(answer, name);
      const isMissing = part === undefined || (typeof part === 'string' && isBlank(part));
      const fault = isMissing ? (required ? answerFault('required') : undefined) : kind === 'country' ? country(part) : ofText(part);
      if (fault) return faultInPart(fault, name);
    }
    return undefined;
  });
}

/** A name or a picture, as its kind says. */
function signature(field: Field): Check {
  const ofName = text({ ...field, max_length: maxPartLength });
  return inParts(field, 'not_signature', ({ kind, name, file_id: id }) => {
    if (kind === 'typed' && typeof name === 'string' && id === undefined) {
      const fault = isBlank(name) ? answerFault('required') : ofName(name);
      return fault && faultInPart(fault, 'name');
    }
    if (kind !== 'drawn' || id === undefined || name !== undefined) return answerFault('not_signature');
    const fault = file(id);
    return fault && faultInPart(fault, 'file_id');
  });
}

/** The number of items. The answers in each are checked by the fields of the repeat, as far as they are shown there. */
function items(field: Field): Check {
  const { min = 0, max = Infinity } = boundsOf(field);
  return (answer) => {
    if (!Array.isArray(answer) || !answer.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)))
      return answerFault('not_items');
    if (answer.length < min) return answerFault('too_few_items', { min });
    return answer.length > max ? answerFault('too_many_items', { max }) : undefined;
  };
}

/** With an offset it follows RFC 3339; without one it is local time and may omit the seconds, as browsers do. */
function dateTime(answer: unknown): Fault {
  const isValid =
    typeof answer === 'string' && readDateTime(/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}$/.test(answer) ? `${answer}:00` : answer) !== undefined;
  return isValid ? undefined : answerFault('not_datetime');
}

const oneOf = ({ options = [] }: Field): Check =>
  among(
    options.map(({ value }) => value),
    'not_option',
  );

function among(offered: readonly string[], code: 'not_option' | 'not_country'): Check {
  const values = new Set<unknown>(offered);
  return (answer) => (values.has(answer) ? undefined : answerFault(code));
}

function someOf(field: Field): Check {
  const { min, max } = choiceBounds(field);
  const values = new Set<unknown>(field.options?.map(({ value }) => value));
  return (answer) => {
    if (!Array.isArray(answer)) return answerFault('not_option_list');
    if (!answer.every((item) => values.has(item))) return answerFault('unknown_option');
    if (new Set(answer).size !== answer.length) return answerFault('repeated_option');
    if (min !== undefined && answer.length < min) return answerFault('too_few_choices', { min });
    if (max !== undefined && answer.length > max) return answerFault('too_many_choices', { max });
    return undefined;
  };
}

/** A column, or with `multiple` a list of them, for each row that is answered. Whether all rows must be is for the answers to other fields. */
function matrix({ rows, columns, multiple = false }: Field): Check {
  const known = { rows: new Set(rows?.map(({ value }) => value)), columns: new Set(columns?.map(({ value }) => value)) };
  const code = multiple ? 'not_matrix_list' : 'not_matrix';
  return (answer) => {
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answerFault(code);
    for (const [row, given] of Object.entries(answer) as [string, unknown][]) {
      if (!known.rows.has(row)) return answerFault('unknown_row', { row: shortened(row) });
      if (Array.isArray(given) !== multiple) return answerFault(code);
      const chosen: readonly unknown[] = Array.isArray(given) ? given : [given];
      if (!chosen.every((each) => typeof each === 'string')) return answerFault(code);
      const column = chosen.find((each) => !known.columns.has(each));
      if (column !== undefined) return answerFault('unknown_column', { row: shortened(row), column: shortened(column) });
      const repeated = chosen.find((each, at) => chosen.indexOf(each) !== at);
      if (repeated !== undefined) return answerFault('repeated_column', { row: shortened(row), column: shortened(repeated) });
    }
    return undefined;
  };
}

/** Real values are short; a long one that was made up is not said in full. */
const shortened = (value: string): string => truncate(value, 64);

/** Whether a file exists is checked when it is claimed. */
const file = (answer: unknown): Fault => (typeof answer === 'string' && isId(answer) ? undefined : answerFault('not_file'));

const files =
  (max: number): Check =>
  (answer) => {
    if (!Array.isArray(answer)) return answerFault('not_file_list');
    if (new Set(answer).size !== answer.length) return answerFault('repeated_file');
    return answer.length > max ? answerFault('too_many_files', { max }) : answer.map(file).find((fault) => fault !== undefined);
  };
