import { answerKindOf, answerTraitsOf, hasSetting, isRepeat, type Condition, type Field } from '@sheaf/contracts';
import { folded, itself, joined, negated, readExpression, type Term, type Value } from './condition-grammar';
import { maxLength } from './table';

/** A field that conditions may refer to. */
export type Known = Pick<Field, 'key' | 'type' | 'options'> &
  Partial<Pick<Field, 'format' | 'min' | 'max'>> & {
    /** Whether its value may depend on a division by zero, which is infinite in an XLSForm and empty here: a condition on it would differ. */
    mayBeInfinite?: boolean;
  };

/** The fields that conditions may refer to, by their names or by paths such as `../age`. */
export interface Fields {
  get: (reference: string) => Known | undefined;
  /** An earlier repeat, of which only the number of items can be asked. */
  repeat?: (reference: string) => Known | undefined;
  /** A question of an earlier repeat, which has an answer for each item. */
  ofItems?: (reference: string) => OfItems | undefined;
}

/** A field of a repeat that has ended. */
export interface OfItems {
  repeat: Known;
  field: Known;
}

/** The words of an expression stand for answers, and for the columns of an option if it is about one. */
interface Scope {
  fields: Fields;
  columns?: (name: string) => string | undefined;
  /** Whether comparisons that no answer can meet are decided. Otherwise the form's rules name them. */
  decides: boolean;
}

/**
 * The condition that a `relevant` states: comparisons of answers with values or with each other, and the numbers of chosen options, joined by `and`,
 * `or` and `not()`. Undefined for any other, such as one that computes.
 */
export function readRelevant(expression: string, all: Fields): Condition | undefined {
  if (expression.length > maxLength) return undefined;
  const fields = comparable(all);
  for (const text of [expression, withPlainSigns(expression)]) {
    const term = readExpression(text);
    if (!term) continue;
    const decided = outcomeOf(term, { fields, decides: true });
    const outcome = typeof decided === 'boolean' ? outcomeOf(term, { fields, decides: false }) : decided;
    if (typeof outcome === 'object') return outcome;
  }
  return undefined;
}

/** Decides for each option, by its columns, under which condition a `choice_filter` offers it; undefined for a filter that is another one. */
export function readFilter(expression: string, fields: Fields): OfferedIf | undefined {
  if (expression.length > maxLength) return undefined;
  const term = readExpression(expression) ?? readExpression(withPlainSigns(expression));
  return term && ((columns) => outcomeOf(term, { fields: comparable(fields), columns, decides: true }));
}

const comparable = (fields: Fields): Fields => ({
  ...fields,
  get: (reference) => {
    const field = fields.get(reference);
    return field?.mayBeInfinite ? undefined : field;
  },
});

/** The condition of an option, or whether it is always offered or never; undefined if a form cannot say it. */
export type OfferedIf = (columns: (name: string) => string | undefined) => Condition | boolean | undefined;

/** The columns that a filter looks at. */
export function columnsIn(expression: string): Set<string> {
  const names = new Set<string>();
  const ofValue = (value: Value) => (value.is === 'column' ? names.add(value.name) : undefined);
  const look = (term: Term): void => {
    if (term.is === 'all' || term.is === 'any') term.terms.forEach(look);
    else if (term.is === 'not') look(term.term);
    else if (term.is === 'selected') [term.list, term.item].forEach(ofValue);
    else if (term.is === 'comparison') [term.left, term.right].forEach(ofValue);
  };
  const term = expression.length > maxLength ? undefined : (readExpression(expression) ?? readExpression(withPlainSigns(expression)));
  if (term) look(term);
  return names;
}

/** Text processors replace quotes by typographic ones, and some programs write signs as XML does. */
export const withPlainSigns = (expression: string): string =>
  expression
    .replaceAll(/[‘’‚‛]/g, "'")
    .replaceAll(/[“”„‟]/g, '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');

/** The conditions that are always or never met, whatever the answers are. */
export function constantIn(expression: string): boolean | undefined {
  const plain = withPlainSigns(expression)
    .replaceAll(/[\s'"]/g, '')
    .toLowerCase();
  if (['true()', 'true', '1', 'yes'].includes(plain)) return true;
  return ['false()', 'false', '0', 'no'].includes(plain) ? false : undefined;
}

type Outcome = Condition | boolean | undefined;

function outcomeOf(term: Term, scope: Scope): Outcome {
  switch (term.is) {
    case 'all':
    case 'any':
      return folded(
        term.is,
        term.terms.map((each) => outcomeOf(each, scope)),
      );
    case 'not': {
      const inner = outcomeOf(term.term, scope);
      return typeof inner === 'object' ? negated(inner) : inner === undefined ? undefined : !inner;
    }
    case 'constant':
      return term.value;
    case 'selected':
      return selectedIn(withoutColumn(term.list, scope), withoutColumn(term.item, scope), scope);
    case 'comparison': {
      const [left, right] = [withoutColumn(term.left, scope), withoutColumn(term.right, scope)];
      return left && right && compared({ left, sign: term.sign, right }, scope);
    }
  }
}

/** A column is the text of the option in it. */
function withoutColumn(value: Value, { columns }: Scope): Value | undefined {
  if (value.is !== 'column') return value;
  const text = columns?.(value.name);
  return text === undefined ? undefined : { is: 'text', text };
}

function selectedIn(list: Value | undefined, item: Value | undefined, { fields, decides }: Scope): Outcome {
  if (list?.is === 'text' && item?.is === 'text') return list.text.split(/\s+/).includes(item.text);
  if (list?.is === 'answer' && item?.is === 'text') {
    const field = fields.get(list.name);
    return field && (decides && isImpossible(field, item.text) ? false : { key: field.key, equals: valueFor(field, item.text) });
  }
  if (list?.is !== 'text' || item?.is !== 'answer') return undefined;
  const field = fields.get(item.name);
  if (!field || answerKindOf(field) === 'options') return undefined;
  const values = list.text.split(/\s+/).filter((text) => text !== '' && !isImpossible(field, text));
  return values.length === 0 ? false : { key: field.key, in: values.map((text) => valueFor(field, text)) };
}

/** Whether the value is none of a choice's options, so that no answer is it. */
const isImpossible = ({ options }: Known, text: string): boolean => options !== undefined && !options.some(({ value }) => value === text);

/** `<` said from the other side. */
const mirrored = { '=': '=', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
const orders = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const;
type Sign = keyof typeof mirrored;

function compared({ left, sign, right }: { left: Value; sign: Sign; right: Value }, scope: Scope): Outcome {
  if (left.is === 'text' && right.is === 'text') return areCompared(left.text, sign, right.text);
  if (left.is === 'text') return compared({ left: right, sign: mirrored[sign], right: left }, scope);
  if (left.is === 'items') {
    const repeat = scope.fields.repeat?.(left.name);
    return repeat && right.is === 'text' ? (isThere(repeat, sign, right.text) ?? counted(repeat, sign, right.text)) : undefined;
  }
  const field = left.is === 'column' ? undefined : scope.fields.get(left.name);
  if (!field) return undefined;
  if (left.is === 'count') return right.is === 'text' ? counted(field, sign, right.text) : undefined;
  if (left.is === 'length') return right.is === 'text' ? isThere(field, sign, right.text) : undefined;
  if (right.is === 'answer') return withAnswer(field, sign, scope.fields.get(right.name));
  if (right.is !== 'text') return undefined;
  if (scope.decides && right.text !== '' && (sign === '=' || sign === '!=') && isImpossible(field, right.text)) return sign === '!=';
  return withValue(field, sign, right);
}

/** Two values that stand in the file. */
function areCompared(a: string, sign: Sign, b: string): boolean {
  const areNumbers = isNumber(a) && isNumber(b);
  if (sign === '=' || sign === '!=') return (a === b || (areNumbers && Number(a) === Number(b))) === (sign === '=');
  return areNumbers && holds[sign](Number(a), Number(b));
}

/** Lengths say whether there is an answer. */
function isThere({ key }: Known, sign: Sign, text: string): Condition | undefined {
  const said = `${sign}${text}`;
  if (['>0', '>=1', '!=0'].includes(said)) return { key, answered: true };
  return ['<1', '<=0', '=0'].includes(said) ? { key, answered: false } : undefined;
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

function counted(field: Known, sign: Sign, text: string): Condition | undefined {
  const { key } = field;
  const number = Number(text);
  if (!(answerKindOf(field) === 'options' || isRepeat(field)) || !isNumber(text) || !Number.isInteger(number)) return undefined;
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

export function valueFor(field: Pick<Known, 'type' | 'format'>, text: string): string | number | boolean {
  const { inFormulas } = answerTraitsOf(field);
  if (inFormulas === 'number') return text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
  // In an XLSForm, an acknowledged question has the answer `OK`.
  return inFormulas === 'truth' ? ['ok', 'true', 'yes', '1'].includes(text.toLowerCase()) : text;
}

/**
 * The condition under which a `constraint` refuses an answer; undefined for one that a condition cannot say. An answer that is absent is never
 * refused.
 */
export function refusedBy(constraint: string, field: Known, earlier: Fields): Condition | undefined {
  const allowed = readRelevant(constraint, { get: (reference) => (reference === itself ? field : earlier.get(reference)) });
  return allowed && joined('all', [{ key: field.key, answered: true }, negated(allowed)]);
}

/** The bounds of a field that a `constraint` can state. */
export type Bounds = Partial<
  Pick<Field, 'min' | 'max' | 'min_length' | 'max_length' | 'min_date' | 'max_date' | 'min_choices' | 'max_choices' | 'pattern'>
>;

const withoutParentheses = (term: string): string => /^\(([^()]*(?:\([^()]*\)[^()]*)?)\)$/.exec(term)?.[1]?.trim() ?? term;

const bound = /^\.\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)$/;
const dateBound = /^\.\s*(<=|>=|<)\s*(?:date\s*\(\s*)?['"](\d{4}-\d\d-\d\d)['"]\s*\)?$/;
const lengthBound = /^string-length\s*\(\s*\.\s*\)\s*(<=|>=|<|>|=)\s*(\d+)$/;
const choicesBound = /^count-selected\s*\(\s*\.\s*\)\s*(<=|>=|<|>|=)\s*(\d+)$/;
const pattern = /^regex\s*\(\s*\.\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)$/;

/** The bounds that a `constraint` states, if the field can have all of them. */
export function readConstraint(expression: string, field: Pick<Field, 'type'>): Bounds | undefined {
  if (expression.length > maxLength) return undefined;
  return boundsIn(expression, field) ?? boundsIn(withPlainSigns(expression), field);
}

function boundsIn(expression: string, field: Pick<Field, 'type'>): Bounds | undefined {
  const whole = pattern.test(expression.trim())
    ? [expression.trim()]
    : expression.split(/\sand\s/).map((term) => withoutParentheses(term.trim()));
  const all: Bounds = {};
  for (const term of whole) {
    const found =
      numberBound(term, field) ?? dateBounds(term, field) ?? lengthBounds(term) ?? choicesBounds(term, field) ?? patternOf(term);
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

function dateBounds(term: string, field: Pick<Field, 'type'>): Bounds | undefined {
  const [, operator, date = ''] = dateBound.exec(term) ?? [];
  const isMoment = answerKindOf(field) === 'datetime';
  // A day counts until its end here, and begins there.
  if (operator === '<') return isMoment && !Number.isNaN(Date.parse(date)) ? { max_date: dayBefore(date) } : undefined;
  return operator === undefined ? undefined : operator === '<=' ? { max_date: date } : { min_date: date };
}

const dayBefore = (date: string): string => new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

function lengthBounds(term: string): Bounds | undefined {
  const [, operator = '', digits] = lengthBound.exec(term) ?? [];
  if (digits === undefined) return undefined;
  const length = Number(digits);
  return operator === '=' ? { min_length: length, max_length: length } : stepped(operator, length, true, 'min_length', 'max_length');
}

/** A form has at least one choice in an answer, and asks for no fewer. */
function choicesBounds(term: string, field: Pick<Field, 'type'>): Bounds | undefined {
  const [, operator = '', digits] = choicesBound.exec(term) ?? [];
  if (digits === undefined || !hasSetting(field, 'max_choices')) return undefined;
  const count = Number(digits);
  const bounds: Bounds | undefined =
    operator === '=' ? { min_choices: count, max_choices: count } : stepped(operator, count, true, 'min_choices', 'max_choices');
  return bounds && Object.values(bounds).every((bound) => Number(bound) >= 1) ? bounds : undefined;
}

function patternOf(term: string): Bounds | undefined {
  const [, single, double] = pattern.exec(term) ?? [];
  const written = single ?? double;
  return written === undefined ? undefined : { pattern: written };
}
