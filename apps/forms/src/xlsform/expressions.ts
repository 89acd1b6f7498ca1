import { answerKindOf, type AnswerKind, type Condition, type Field } from '@sheaf/contracts';
import { maxLength } from './table';

/** A field that conditions may refer to. */
export type Fields = ReadonlyMap<string, Pick<Field, 'key' | 'type'>>;

const reference = String.raw`\$\{\s*([^{}\s]+)\s*\}`;
const literal = String.raw`('[^']*'|"[^"]*"|-?\d+(?:\.\d+)?)`;
const comparison = new RegExp(`^${reference}\\s*(!?=)\\s*${literal}$`);
const selected = new RegExp(`^(not\\s*\\(\\s*)?selected\\s*\\(\\s*${reference}\\s*,\\s*${literal}\\s*\\)(\\s*\\))?$`);

/**
 * The condition that a `relevant` states, of the few that a form can have: an answer is given or not, equals a value, does not, or is one of
 * several. Undefined for any other.
 */
export function readRelevant(expression: string, fields: Fields): Condition | undefined {
  if (expression.length > maxLength) return undefined;
  return conditionIn(expression, fields) ?? conditionIn(withPlainQuotes(expression), fields);
}

/** Text processors replace quotes by typographic ones. */
const withPlainQuotes = (expression: string): string => expression.replaceAll(/[‘’‚‛]/g, "'").replaceAll(/[“”„‟]/g, '"');

/** The conditions that are always or never met, whatever the answers are. */
export function constantIn(expression: string): boolean | undefined {
  const plain = withPlainQuotes(expression)
    .replaceAll(/[\s'"]/g, '')
    .toLowerCase();
  if (['true()', 'true', '1', 'yes'].includes(plain)) return true;
  return ['false()', 'false', '0', 'no'].includes(plain) ? false : undefined;
}

function conditionIn(expression: string, fields: Fields): Condition | undefined {
  const conditions = expression.split(/\sor\s/).map((term) => simpleCondition(withoutParentheses(term.trim()), fields));
  const [first] = conditions;
  if (conditions.length === 1) return first;
  const values = conditions.map((condition) => (condition?.key === first?.key ? condition?.equals : undefined));
  return first && values.every((value) => value !== undefined) ? { key: first.key, in: values } : undefined;
}

const withoutParentheses = (term: string): string => /^\(([^()]*(?:\([^()]*\)[^()]*)?)\)$/.exec(term)?.[1]?.trim() ?? term;

function simpleCondition(term: string, fields: Fields): Condition | undefined {
  const compared = comparison.exec(term);
  if (compared) {
    const [, name = '', operator, text = ''] = compared;
    const field = fields.get(name);
    if (!field) return undefined;
    if (unquoted(text) === '') return { key: field.key, answered: operator === '!=' };
    return { key: field.key, [operator === '=' ? 'equals' : 'not_equals']: valueFor(field, unquoted(text)) };
  }
  const chosen = selected.exec(term);
  if (!chosen) return undefined;
  const [, not, name = '', text = '', end] = chosen;
  const field = fields.get(name);
  if (!field || (not === undefined) !== (end === undefined)) return undefined;
  return { key: field.key, [not === undefined ? 'equals' : 'not_equals']: valueFor(field, unquoted(text)) };
}

const unquoted = (text: string): string => text.replace(/^(['"])(.*)\1$/s, '$2');

export const valueFor = (field: Pick<Field, 'type'>, text: string): string | number | boolean => readers[answerKindOf(field)](text);

type Reader = (text: string) => string | number | boolean;

const asText: Reader = (text) => text;
const asNumber: Reader = (text) => (text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text);

const readers: Readonly<Record<AnswerKind, Reader>> = {
  text: asText,
  email: asText,
  url: asText,
  phone: asText,
  number: asNumber,
  whole: asNumber,
  // In an XLSForm, an acknowledged question has the answer `OK`.
  boolean: (text) => ['ok', 'true', 'yes', '1'].includes(text.toLowerCase()),
  date: asText,
  time: asText,
  datetime: asText,
  option: asText,
  options: asText,
  file: asText,
};

/** The bounds of a field that a `constraint` can state. */
export type Bounds = Partial<Pick<Field, 'min' | 'max' | 'min_length' | 'max_length' | 'min_date' | 'max_date' | 'pattern'>>;

const bound = /^\.\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)$/;
const dateBound = /^\.\s*(<=|>=)\s*(?:date\s*\(\s*)?['"](\d{4}-\d\d-\d\d)['"]\s*\)?$/;
const lengthBound = /^string-length\s*\(\s*\.\s*\)\s*(<=|>=|<|>|=)\s*(\d+)$/;
const pattern = /^regex\s*\(\s*\.\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)$/;

/** The bounds that a `constraint` states, if the field can have all of them. */
export function readConstraint(expression: string, field: Pick<Field, 'type'>): Bounds | undefined {
  if (expression.length > maxLength) return undefined;
  return boundsIn(expression, field) ?? boundsIn(withPlainQuotes(expression), field);
}

function boundsIn(expression: string, field: Pick<Field, 'type'>): Bounds | undefined {
  const whole = pattern.test(expression.trim())
    ? [expression.trim()]
    : expression.split(/\sand\s/).map((term) => withoutParentheses(term.trim()));
  const all: Bounds = {};
  for (const term of whole) {
    const found = numberBound(term, field) ?? dateBounds(term) ?? lengthBounds(term) ?? patternOf(term);
    if (!found || Object.keys(found).some((part) => part in all)) return undefined;
    Object.assign(all, found);
  }
  return all;
}

function numberBound(term: string, field: Pick<Field, 'type'>): Bounds | undefined {
  const [, operator = '', digits] = bound.exec(term) ?? [];
  if (digits === undefined) return undefined;
  return stepped(operator, Number(digits), answerKindOf(field) === 'whole', 'min', 'max');
}

/** `<` and `>` can be said only of whole numbers, by the next one. */
function stepped(operator: string, value: number, isWhole: boolean, low: keyof Bounds, high: keyof Bounds): Bounds | undefined {
  if (operator.length === 1 && !(isWhole && Number.isInteger(value))) return undefined;
  return operator.startsWith('<') ? { [high]: operator === '<' ? value - 1 : value } : { [low]: operator === '>' ? value + 1 : value };
}

function dateBounds(term: string): Bounds | undefined {
  const [, operator, date] = dateBound.exec(term) ?? [];
  return date === undefined ? undefined : operator === '<=' ? { max_date: date } : { min_date: date };
}

function lengthBounds(term: string): Bounds | undefined {
  const [, operator = '', digits] = lengthBound.exec(term) ?? [];
  if (digits === undefined) return undefined;
  const length = Number(digits);
  return operator === '=' ? { min_length: length, max_length: length } : stepped(operator, length, true, 'min_length', 'max_length');
}

function patternOf(term: string): Bounds | undefined {
  const [, single, double] = pattern.exec(term) ?? [];
  const written = single ?? double;
  return written === undefined ? undefined : { pattern: written };
}
