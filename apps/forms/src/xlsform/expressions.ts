import { answerKindOf, hasSetting, type AnswerKind, type Condition, type Field } from '@sheaf/contracts';
import { itself, joined, negated, readExpression, type Term, type Value } from './condition-grammar';
import { maxLength } from './table';

/** A field that conditions may refer to. */
export type Fields = ReadonlyMap<string, Pick<Field, 'key' | 'type' | 'options'>>;
type Known = Pick<Field, 'key' | 'type' | 'options'>;

/**
 * The condition that a `relevant` states: comparisons of answers with values or with each other, and the numbers of chosen options, joined by `and`,
 * `or` and `not()`. Undefined for any other, such as one that computes.
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

const conditionIn = (expression: string, fields: Fields): Condition | undefined => {
  const term = readExpression(expression);
  return term && conditionOf(term, fields);
};

function conditionOf(term: Term, fields: Fields): Condition | undefined {
  switch (term.is) {
    case 'all':
    case 'any':
      return joined(
        term.is,
        term.terms.map((each) => conditionOf(each, fields)),
      );
    case 'not': {
      const inner = conditionOf(term.term, fields);
      return inner && negated(inner);
    }
    case 'selected': {
      const field = fields.get(term.name);
      return field && { key: field.key, equals: valueFor(field, term.text) };
    }
    case 'comparison':
      return compared(term, fields);
  }
}

/** `<` said from the other side. */
const mirrored = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
const orders = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;
type Sign = keyof typeof mirrored;

function compared({ left, sign, right }: Extract<Term, { is: 'comparison' }>, fields: Fields): Condition | undefined {
  if (left.is === 'text')
    return right.is === 'text' ? undefined : compared({ is: 'comparison', left: right, sign: mirrored[sign], right: left }, fields);
  const field = fields.get(left.name);
  if (!field) return undefined;
  if (left.is === 'count') return right.is === 'text' ? counted(field, sign, right.text) : undefined;
  if (right.is === 'count') return undefined;
  return right.is === 'answer' ? withAnswer(field, sign, fields.get(right.name)) : withValue(field, sign, right);
}

/** Two questions without an answer have the same one in an XLSForm, but not here. */
function withAnswer({ key }: Known, sign: Sign, other: Known | undefined): Condition | undefined {
  if (!other) return undefined;
  const operand = { key: other.key };
  const unanswered = [key, other.key].map((each): Condition => ({ key: each, answered: false }));
  if (sign === '=') return { any: [{ key, equals: operand }, { all: unanswered }] };
  if (sign === '!=') return { all: [{ key, not_equals: operand }, { any: unanswered.map(negated) }] };
  return { key, [orders[sign]]: operand };
}

function withValue(field: Known, sign: Sign, { text }: Extract<Value, { is: 'text' }>): Condition | undefined {
  const { key, options } = field;
  if (sign === '=' || sign === '!=') {
    if (text === '') return { key, answered: sign === '!=' };
    const value = valueFor(field, text);
    if (answerKindOf(field) !== 'options') return { key, [sign === '=' ? 'equals' : 'not_equals']: value };
    // The answer of an XLSForm is all that is chosen, in one text.
    const alone: Condition = {
      all: [
        { key, equals: value },
        { key, chosen_at_most: 1 },
      ],
    };
    return sign === '=' ? alone : { not: alone };
  }
  if (options === undefined) return { key, [orders[sign]]: valueFor(field, text) };
  // Several choices together are no number to an XLSForm, and one choice of them is.
  if (answerKindOf(field) === 'options') return undefined;
  // The values of options may be numbers, which an XLSForm compares as such.
  const met = options.flatMap(({ value }) =>
    isNumber(value) && isNumber(text) && holds[sign](Number(value), Number(text)) ? [value] : [],
  );
  return met.length > 0 ? { key, in: met } : undefined;
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

const holds = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
} as const;

function counted({ key, type }: Known, sign: Sign, text: string): Condition | undefined {
  const number = Number(text);
  if (answerKindOf({ type }) !== 'options' || !isNumber(text) || !Number.isInteger(number)) return undefined;
  const atLeast = (count: number): Condition => ({ key, chosen_at_least: count });
  const atMost = (count: number): Condition => ({ key, chosen_at_most: count });
  switch (sign) {
    case '>=':
      return atLeast(number);
    case '>':
      return atLeast(number + 1);
    case '<=':
      return atMost(number);
    case '<':
      return atMost(number - 1);
    case '=':
      return { all: [atLeast(number), atMost(number)] };
    case '!=':
      return { not: { all: [atLeast(number), atMost(number)] } };
  }
}

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

/**
 * The condition under which a `constraint` refuses an answer; undefined for one that a condition cannot say. An answer that is absent is never
 * refused.
 */
export function refusedBy(constraint: string, field: Known, earlier: Fields): Condition | undefined {
  const allowed = readRelevant(constraint, new Map([...earlier, [itself, field]]));
  return allowed && joined('all', [{ key: field.key, answered: true }, negated(allowed)]);
}

/** The bounds of a field that a `constraint` can state. */
export type Bounds = Partial<Pick<Field, 'min' | 'max' | 'min_length' | 'max_length' | 'min_date' | 'max_date' | 'pattern'>>;

const withoutParentheses = (term: string): string => /^\(([^()]*(?:\([^()]*\)[^()]*)?)\)$/.exec(term)?.[1]?.trim() ?? term;

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
  // A check compares the values of options.
  if (digits === undefined || hasSetting(field, 'options')) return undefined;
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
