import {
  answerKindOf,
  keysIn,
  keysOfCheck,
  offeredOptions,
  answerTraitsOf,
  refusal,
  requirement,
  visibility,
  type Condition,
  type Field,
  type Offered,
  type Offering,
  type Operand,
} from '@sheaf/contracts';
import fc, { type Arbitrary } from 'fast-check';

/** How a respondent answers one question. */
export interface Filled {
  key: string;
  type: string;
  /** The values of the controls: one text for each that is filled in or chosen. */
  typed: readonly string[];
  /** The same, as a client of /public/v1 sends it; undefined if the question stays unanswered. */
  answer: unknown;
  /** A wrong answer that is given first. */
  mistake: string | undefined;
}

export interface FilledForm {
  /** The fields and elements of the form. */
  items: object[];
  settings: object;
  /** In the order of the fields. */
  answers: Filled[];
  /** The fields at which checks refuse these answers; then there are no mistakes beside. */
  refusedAt: ReadonlySet<string>;
}

interface Kind {
  type: string;
  /** The bounds and options that the field has. */
  more?: object;
  answers: Arbitrary<{ typed: readonly string[]; answer: unknown }>;
  mistakes?: readonly string[];
  /** Values that a condition can compare with. */
  values: readonly (string | number | boolean)[];
}

const visible = (text: string) => text.trim() !== '' && !/[\r\n]/.test(text);
const line = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom('x', 'a"b', "it's", '<b>', '&amp;', 'a  b', '\u202ea', '=1+1'),
  )
  .filter(visible);
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'));
const same = (text: string) => ({ typed: [text], answer: text });
const digits = (value: number) => ({ typed: [String(value)], answer: value });
const two = (value: number) => String(value).padStart(2, '0');
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
const options = ['one', 'two', 'three four', '<5>', '"6"'];
const longList = Array.from({ length: 9 }, (_, index) => `option ${index}`);

const kinds: readonly Kind[] = [
  { type: 'short_text', answers: line.map(same), values: ['x'] },
  {
    type: 'short_text',
    more: { min_length: 2, max_length: 4 },
    answers: fc.constantFrom('ab', 'abcd').map(same),
    mistakes: ['a', 'abcde'],
    values: ['ab'],
  },
  { type: 'long_text', answers: lines.map(same), values: ['x'] },
  { type: 'email', answers: fc.constant(same('ada@example.org')), mistakes: ['ada@', 'a b@c.d'], values: ['ada@example.org'] },
  { type: 'url', answers: fc.constant(same('https://example.org/?a=1&b=2')), mistakes: ['example'], values: ['https://example.org/'] },
  { type: 'phone', answers: fc.constant(same('+43 1 234')), mistakes: ['call me'], values: ['+43 1 234'] },
  { type: 'country', more: { only: ['AT', 'DE', 'FR'] }, answers: fc.constantFrom('AT', 'FR').map(same), values: ['AT', 'DE', 'FR'] },
  {
    type: 'number',
    more: { min: -5, max: 1_000 },
    answers: fc.integer({ min: -500, max: 100_000 }).map((hundredths) => digits(hundredths / 100)),
    mistakes: ['many', '1001', '-6'],
    values: [1, 0.5],
  },
  { type: 'integer', more: { max: 99 }, answers: fc.nat(99).map(digits), mistakes: ['1.5', '100', 'x'], values: [1, 2] },
  { type: 'rating', answers: fc.integer({ min: 1, max: 5 }).map(digits), values: [1, 5] },
  { type: 'boolean', answers: fc.boolean().map((is) => ({ typed: [String(is)], answer: is })), values: [true, false] },
  {
    type: 'date',
    more: { min_date: '1900-01-01' },
    answers: day.map(same),
    mistakes: ['1899-12-31', 'soon', '2021-02-30'],
    values: ['2021-01-01'],
  },
  { type: 'time', answers: time.map(same), mistakes: ['noon'], values: ['12:00'] },
  {
    type: 'datetime',
    answers: fc.tuple(day, time).map(([date, at]) => same(`${date}T${at}`)),
    mistakes: ['now'],
    values: ['2021-01-01T12:00'],
  },
  { type: 'select', more: { options }, answers: fc.constantFrom(...options).map(same), values: options },
  { type: 'select', more: { options: longList }, answers: fc.constantFrom(...longList).map(same), values: longList },
  {
    type: 'multi_select',
    more: { options, max_choices: 3 },
    answers: fc.subarray(options, { minLength: 1, maxLength: 3 }).map((chosen) => ({ typed: chosen, answer: chosen })),
    values: options,
  },
  {
    type: 'ranking',
    more: { options, ranks: 2 },
    answers: fc.shuffledSubarray(options, { minLength: 2, maxLength: 2 }).map((ranked) => ({ typed: ranked, answer: ranked })),
    values: options,
  },
  { type: 'hidden', answers: fc.constantFrom('spring', 'a&b=c', '"<>').map(same), values: ['spring'] },
];

interface Drawn {
  kind: Kind;
  answered: { typed: readonly string[]; answer: unknown };
  isRequired: boolean;
  isSkipped: boolean;
  mistake: number | undefined;
  condition: DrawnCondition | undefined;
  requiredIf: DrawnCondition | undefined;
  /** Of the first options of a choice. */
  optionsIf: DrawnCondition[];
  before: { type: 'page' | 'section' | 'statement'; condition: DrawnCondition | undefined } | undefined;
}

interface DrawnComparison {
  /** Which of the earlier fields, which of its values and operators, and which other field to compare with, where fields can be. */
  field: number;
  value: number;
  operator: number;
  other: number | undefined;
}

type DrawnCondition = DrawnComparison | { joined: 'all' | 'any' | 'not'; parts: DrawnCondition[] };

const { condition } = fc.letrec<{ condition: DrawnCondition; comparison: DrawnComparison; joined: DrawnCondition }>((tie) => ({
  condition: fc.oneof({ maxDepth: 2, depthIdentifier: 'condition' }, { weight: 2, arbitrary: tie('comparison') }, tie('joined')),
  comparison: fc.record({ field: fc.nat(20), value: fc.nat(10), operator: fc.nat(100), other: fc.option(fc.nat(20), { nil: undefined }) }),
  joined: fc.record({
    joined: fc.constantFrom('all', 'any', 'not'),
    parts: fc.array(tie('condition'), { minLength: 1, maxLength: 3, depthIdentifier: 'condition' }),
  }),
}));

const drawn: Arbitrary<Drawn> = fc.constantFrom(...kinds).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    answered: kind.answers,
    isRequired: fc.boolean(),
    isSkipped: fc.boolean(),
    mistake: fc.option(fc.nat(5), { nil: undefined, freq: 2 }),
    condition: fc.option(condition, { nil: undefined, freq: 2 }),
    requiredIf: fc.option(condition, { nil: undefined, freq: 1 }),
    optionsIf: fc.array(condition, { maxLength: 5 }),
    before: fc.option(
      fc.record({ type: fc.constantFrom('page', 'section', 'statement'), condition: fc.option(condition, { nil: undefined, freq: 2 }) }),
      { nil: undefined, freq: 1 },
    ),
  }),
);

interface DrawnCheck {
  condition: DrawnCondition;
  at: number;
}

const check: Arbitrary<DrawnCheck> = fc.record({ condition, at: fc.nat(20) });

/** A form with its conditions, checks and steps, and the answers of a respondent who first makes mistakes. */
export const anyFilledForm: Arbitrary<FilledForm> = fc
  .tuple(fc.array(drawn, { minLength: 1, maxLength: 9 }), fc.array(check, { maxLength: 2 }), fc.boolean())
  .map(([fields, checks, review_before_sending]) => ({ ...assembled(fields, checks), settings: { review_before_sending } }));

function assembled(fields: readonly Drawn[], drawnChecks: readonly DrawnCheck[]): Omit<FilledForm, 'settings'> {
  const items: object[] = [];
  const answers: Filled[] = [];
  // A mistake in an answer that something depends on could change what is shown.
  const decisive = new Set<number>();
  fields.forEach((field, index) => {
    for (const each of [field.condition, field.requiredIf, field.before?.condition, ...field.optionsIf])
      for (const key of keysIn(conditionOf(each, fields, index).visible_if ?? {})) decisive.add(Number(key.slice(1)));
  });

  const checks = checksOf(drawnChecks, fields);
  for (const each of checks) for (const key of keysOfCheck(each)) decisive.add(Number(key.slice(1)));

  const asked: Record<string, unknown> = {};
  const shown = new Set<string>();
  const isShown = visibility();
  const isNeeded = requirement();
  fields.forEach(({ kind, answered: meant, isRequired, isSkipped, mistake, condition: own, requiredIf, optionsIf, before }, index) => {
    const key = `q${index}`;
    const part = before && { type: before.type, label: `Part ${index}`, ...conditionOf(before.condition, fields, index) };
    if (part) {
      items.push(part);
      isShown(part, asked);
    }
    // Forms refuse it where respondents cannot answer.
    const { visible_if: required_if } = isRequired && kind.type !== 'hidden' ? conditionOf(requiredIf, fields, index) : {};
    const item = {
      key,
      label: `Question ${index}`,
      type: kind.type,
      required: isRequired,
      ...kind.more,
      ...withOptionsIf(kind, optionsIf, fields, index),
      ...conditionOf(own, fields, index),
      ...(required_if && { required_if }),
    };
    items.push(item);
    const { answered, isOffered } = offeredOf(meant, offeredOptions(item as Offering, asked), kind);
    const isAnswered = isOffered && (!isSkipped || isNeeded(item, asked));
    if (isShown(item as unknown as Field, asked)) {
      shown.add(key);
      if (isAnswered) asked[key] = answered.answer;
    }
    const wrong = mistake === undefined || decisive.has(index) ? undefined : kind.mistakes?.[mistake % kind.mistakes.length];
    answers.push({ key, type: kind.type, ...(isAnswered ? answered : { typed: [], answer: undefined }), mistake: wrong });
  });
  const isRefused = refusal();
  const refusedAt = new Set(checks.flatMap((each) => (isRefused(each, asked, shown, new Set()) ? [each.at] : [])));
  return {
    items: [...items, ...checks],
    answers: refusedAt.size === 0 ? answers : answers.map((each) => ({ ...each, mistake: undefined })),
    refusedAt,
  };
}

function checksOf(drawnChecks: readonly DrawnCheck[], fields: readonly Drawn[]) {
  const places = fields.flatMap(({ kind }, index) => (kind.type === 'hidden' ? [] : [`q${index}`]));
  return drawnChecks.flatMap((each) => {
    const at = places[each.at % places.length];
    if (at === undefined) return [];
    return [{ type: 'check' as const, if: madeOf(each.condition, fields, fields.length), message: 'Refused.', at }];
  });
}

/** The options of a choice, the first of them with conditions. */
function withOptionsIf({ more }: Kind, optionsIf: readonly DrawnCondition[], fields: readonly Drawn[], index: number): object {
  const { options: values } = (more ?? {}) as { options?: readonly string[] };
  if (!values || index === 0) return {};
  return { options: values.map((value, at) => ({ value, label: value, ...conditionOf(optionsIf[at], fields, index) })) };
}

/** The answer of a respondent who sees only some of the options: those that were meant, or else the first of these. */
function offeredOf(
  meant: Drawn['answered'],
  offered: Offered | undefined,
  { more = {} }: Kind,
): { answered: Drawn['answered']; isOffered: boolean } {
  if (!offered) return { answered: meant, isOffered: true };
  const left = meant.typed.filter((value) => offered.has(value));
  // A ranking has as many as it asks for, or all that are offered.
  const wanted = 'ranks' in more ? Number(more.ranks) : Math.max(left.length, 1);
  const typed = [...new Set([...left, ...[...offered].map(String)])].slice(0, wanted);
  return { answered: { typed, answer: Array.isArray(meant.answer) ? typed : typed[0] }, isOffered: typed.length > 0 };
}

function conditionOf(drawnOne: DrawnCondition | undefined, fields: readonly Drawn[], index: number): { visible_if?: Condition } {
  return drawnOne && index > 0 ? { visible_if: madeOf(drawnOne, fields, index) } : {};
}

function madeOf(drawnOne: DrawnCondition, fields: readonly Drawn[], index: number): Condition {
  if (!('joined' in drawnOne)) return comparisonOf(drawnOne, fields, index);
  const parts = drawnOne.parts.map((part) => madeOf(part, fields, index));
  return drawnOne.joined === 'not' ? { not: parts[0] } : { [drawnOne.joined]: parts };
}

function comparisonOf(drawnOne: DrawnComparison, fields: readonly Drawn[], index: number): Condition {
  const on = drawnOne.field % index;
  const { type = '', values = [] } = fields[on]?.kind ?? {};
  const value = values[drawnOne.value % values.length] ?? '';
  const names = answerTraitsOf({ type } as Field).operators;
  const name = names[drawnOne.operator % names.length] ?? 'answered';
  const other = (drawnOne.other ?? 0) % index;
  const operand =
    drawnOne.other !== undefined && fields[other]?.kind.type === type && answerKindOf({ type } as Field) !== 'options'
      ? { key: `q${other}` }
      : value;
  return { key: `q${on}`, [name]: operandOf(name, operand, value, drawnOne.value) };
}

function operandOf(name: string, operand: Operand, value: string | number | boolean, number: number): unknown {
  switch (name) {
    case 'in':
      return [value];
    case 'answered':
      return number % 2 === 0;
    case 'contains':
    case 'not_contains':
    case 'starts_with':
      return value;
    case 'chosen_at_least':
    case 'chosen_at_most':
      return number % 4;
    default:
      return operand;
  }
}
