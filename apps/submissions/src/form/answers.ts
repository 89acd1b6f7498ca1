import {
  isBlank,
  isLonger,
  isShorter,
  readDateTime,
  answerFault,
  fieldsOf,
  isField,
  maxFilesPerField,
  visibility,
  type AnswerRefusal,
  type Field,
  type FieldType,
  type FormItem,
} from '@sheaf/contracts';
import { isId, type AnswerFault } from '@sheaf/kernel';
import { DateTime } from 'luxon';
import type { Match } from './match-thread';
import type { Patterns } from './patterns';

export type Answers = Record<string, unknown>;

/** The answers to keep, or the faults found in them. */
export type Checked = { answers: Answers; faults: [] } | { faults: [AnswerFault, ...AnswerFault[]] };

/**
 * Returns a promise only when a slow pattern has to be matched in a thread.
 * @param shown is called with the key of each field that the answers show, in the order of the fields
 */
export type AnswerCheck = (input: Answers, shown?: (key: string) => void) => Checked | Promise<Checked>;

/** Why an answer is refused; undefined if it is valid. */
type Fault = AnswerRefusal | undefined;
type SlowFault = () => Promise<Fault>;
type Check = (answer: unknown) => Fault | SlowFault;

/**
 * Checks answers against the fields of a published version. Empty answers (`null`, an empty string, an empty list) count as unanswered and
 * are dropped. So are answers to fields that other answers hide, because a page without scripts sends them anyway. Text without a visible
 * character is kept, but does not answer a required field. An unknown key is rejected, as it would otherwise be lost silently.
 */
export function answerCheck(items: readonly FormItem[], patterns: Patterns): AnswerCheck {
  const steps = items.map((item) => (isField(item) ? { field: item, check: checkOf(item, patterns) } : { element: item }));
  const keys = new Set(fieldsOf(items).map(({ key }) => key));

  return (input, shown) => {
    const faults: AnswerFault[] = Object.keys(input)
      .filter((key) => !keys.has(key))
      // Real keys are shorter; do not echo a long made-up one in full.
      .map((key) => ({ key: key.slice(0, 64), ...answerFault('unknown_field') }));

    // A field depends only on earlier fields, whose answers are final by now.
    const answers: Answers = {};
    const slow: { key: string; fault: SlowFault }[] = [];
    const isShown = visibility();
    for (const { field, check, element } of steps) {
      if (!isShown(element ?? field, answers) || element) continue;
      shown?.(field.key);
      const answer = Object.hasOwn(input, field.key) ? input[field.key] : undefined;
      if (isEmpty(answer) || (field.required && typeof answer === 'string' && isBlank(answer))) {
        if (field.required) faults.push({ key: field.key, ...answerFault('required') });
        continue;
      }
      const fault = check(answer);
      if (typeof fault === 'object') {
        faults.push({ key: field.key, ...fault });
        continue;
      }
      answers[field.key] = answer;
      if (fault) slow.push({ key: field.key, fault });
    }
    const [first, ...others] = faults;
    if (first) return { faults: [first, ...others] };
    return slow.length === 0 ? { answers, faults: [] } : matchSlow(answers, slow);
  };
}

/** One at a time, so that a submission takes no more than its share of the threads. */
async function matchSlow(answers: Answers, slow: readonly { key: string; fault: SlowFault }[]): Promise<Checked> {
  const faults: AnswerFault[] = [];
  for (const { key, fault } of slow) {
    const found = await fault();
    if (found) faults.push({ key, ...found });
    // The remaining patterns could take just as long.
    if (found?.code === 'format_too_slow') break;
  }
  const [first, ...others] = faults;
  return first ? { faults: [first, ...others] } : { answers, faults: [] };
}

const isEmpty = (answer: unknown): boolean =>
  answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);

const maxLengths: Partial<Record<FieldType, number>> = {
  short_text: 1_000,
  long_text: 100_000,
  email: 254,
  url: 2_048,
  phone: 32,
  hidden: 1_000,
};

function checkOf(field: Field, patterns: Patterns): Check {
  switch (field.type) {
    case 'short_text':
    case 'long_text':
    case 'hidden':
      return text(field, patterns);
    case 'email':
      return text(field, patterns, matching(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, 'not_email'));
    case 'url':
      return text(field, patterns, (answer) => (isWebAddress(answer) ? undefined : answerFault('not_url')));
    case 'phone':
      return text(field, patterns, matching(/^\+? ?\(?[0-9][0-9 ()./-]{2,30}$/, 'not_phone'));
    case 'number':
      return number(field.min, field.max);
    case 'integer':
      return number(field.min, field.max, true);
    case 'rating':
      return number(field.min ?? 1, field.max ?? 5, true);
    case 'boolean':
      return (answer) =>
        typeof answer !== 'boolean' ? answerFault('not_boolean') : field.must_be_true && !answer ? answerFault('not_true') : undefined;
    case 'date':
      return within(field, dateOrTime(/^(?!0000)\d{4}-\d{2}-\d{2}$/, 'not_date'));
    case 'time':
      return dateOrTime(/^(?!24)\d{2}:\d{2}(:\d{2})?$/, 'not_time');
    case 'datetime':
      return within(field, dateTime);
    case 'select':
      return oneOf(field);
    case 'multi_select':
      return someOf(field);
    case 'file':
      return field.multiple ? files(field.max_files ?? maxFilesPerField) : file;
  }
}

function text(field: Field, patterns: Patterns, further: (answer: string) => Fault = () => undefined): Check {
  const min = field.min_length ?? 0;
  const max = Math.min(field.max_length ?? Infinity, maxLengths[field.type] ?? Infinity);
  const match = field.pattern === undefined ? undefined : patterns.matcher(field.pattern);

  return (answer) => {
    if (typeof answer !== 'string') return answerFault('not_text');
    if (answer.includes('\0') || !answer.isWellFormed()) return answerFault('not_unicode');
    if (isShorter(answer, min)) return answerFault('too_short', { min });
    if (isLonger(answer, max)) return answerFault('too_long', { max });
    const fault = further(answer);
    if (fault !== undefined || match === undefined) return fault;
    const found = match(answer);
    return typeof found === 'string' ? patternFault(found) : async () => patternFault(await found());
  };
}

const patternFault = (found: Match): Fault =>
  found === 'matches' ? undefined : answerFault(found === 'late' ? 'format_too_slow' : 'wrong_format');

const matching = (shape: RegExp, code: 'not_email' | 'not_phone') => (answer: string) =>
  shape.test(answer) ? undefined : answerFault(code);

const isWebAddress = (answer: string): boolean => /^https?:\/\//i.test(answer) && URL.canParse(answer);

const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

function number(min: number | undefined, max: number | undefined, isWhole = false): Check {
  return (answer) => {
    if (typeof answer !== 'number' || !Number.isFinite(answer)) return answerFault('not_number');
    if (isWhole && !Number.isInteger(answer)) return answerFault('not_whole');
    if (isWhole && !Number.isSafeInteger(answer)) return answerFault('not_safe', safe);
    if (min !== undefined && answer < min) return answerFault('too_small', { min });
    if (max !== undefined && answer > max) return answerFault('too_large', { max });
    return undefined;
  };
}

/** Check the shape first: luxon alone would also accept week dates, 24:00 and other ISO 8601 notations. */
const dateOrTime =
  (shape: RegExp, code: 'not_date' | 'not_time'): ((answer: unknown) => Fault) =>
  (answer) =>
    typeof answer === 'string' && shape.test(answer) && DateTime.fromISO(answer).isValid ? undefined : answerFault(code);

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

/** With an offset it follows RFC 3339; without one it is local time and may omit the seconds, as browsers do. */
function dateTime(answer: unknown): Fault {
  const isValid =
    typeof answer === 'string' && readDateTime(/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}$/.test(answer) ? `${answer}:00` : answer) !== undefined;
  return isValid ? undefined : answerFault('not_datetime');
}

function oneOf(field: Field): Check {
  const values = new Set<unknown>(field.options?.map(({ value }) => value));
  return (answer) => (values.has(answer) ? undefined : answerFault('not_option'));
}

function someOf({ options, min_choices: min, max_choices: max }: Field): Check {
  const values = new Set<unknown>(options?.map(({ value }) => value));
  return (answer) => {
    if (!Array.isArray(answer)) return answerFault('not_option_list');
    if (!answer.every((item) => values.has(item))) return answerFault('unknown_option');
    if (new Set(answer).size !== answer.length) return answerFault('repeated_option');
    if (min !== undefined && answer.length < min) return answerFault('too_few_choices', { min });
    if (max !== undefined && answer.length > max) return answerFault('too_many_choices', { max });
    return undefined;
  };
}

/** Whether a file exists is checked when it is claimed. */
const file = (answer: unknown): Fault => (typeof answer === 'string' && isId(answer) ? undefined : answerFault('not_file'));

const files =
  (max: number): Check =>
  (answer) => {
    if (!Array.isArray(answer)) return answerFault('not_file_list');
    if (new Set(answer).size !== answer.length) return answerFault('repeated_file');
    return answer.length > max ? answerFault('too_many_files', { max }) : answer.map(file).find((fault) => fault !== undefined);
  };
