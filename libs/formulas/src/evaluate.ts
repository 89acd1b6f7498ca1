import Big from 'big.js';
import type { Formula } from './check';
import { namedInItems, type Operation, type ResultType, type Tree } from './tree';

const Decimal = Big();
Decimal.DP = 20;
Decimal.RM = Big.roundHalfUp;

type Value = Big | string | boolean | readonly unknown[] | undefined;

/** The labels of options, by the key of their field and their value. */
export type Labels = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Facts {
  answers: Readonly<Record<string, unknown>>;
  /** The day in the time zone of the form, such as `2026-05-31`. */
  today: () => string;
  /** Of the fields whose labels formulas ask for. */
  labels: Labels;
}

/** The most characters of a text that a formula gives. */
export const maxTextLength = 1_000;

/** Numbers have at most 22 digits before the point, and 20 behind it, so no formula takes long. */
const limit = new Decimal('1e21');
const decimals = 20;

/**
 * The result of the formula for the answers, as it is stored: a number with at most 15 digits, which JSON keeps as they are. Undefined if it is empty.
 * Answers that are not of the kind of their field count as none.
 */
export function evaluate({ tree, names }: Formula, facts: Facts): string | number | boolean | undefined {
  const value = new Evaluation(names, facts).of(tree);
  if (typeof value === 'string') return value === '' ? undefined : cut(value);
  if (typeof value !== 'object') return value;
  // Without the sign of a zero.
  return value instanceof Decimal ? Number(value.prec(15, Big.roundHalfUp).toString()) + 0 : undefined;
}

type Call = Tree & { kind: 'call' };

class Evaluation {
  constructor(
    private readonly names: Formula['names'],
    readonly facts: Facts,
  ) {}

  of(tree: Tree | undefined): Value {
    switch (tree?.kind) {
      case undefined:
        return undefined;
      case 'number':
        return bounded(new Decimal(tree.value));
      case 'text':
        return tree.value === '' ? undefined : tree.value;
      case 'truth':
        return tree.value;
      case 'name':
        return this.answer(tree.key);
      case 'call':
        return operations[tree.of](tree.parts, this);
    }
  }

  /** Its values: of a name in the items of a repeat one for each item, of anything else one. */
  each(tree: Tree): Value[] {
    const inItems = tree.kind === 'name' ? namedInItems(tree.key) : undefined;
    if (tree.kind !== 'name' || !inItems) return [this.of(tree)];
    const items = answerIn(this.facts.answers, inItems.repeat);
    const type = this.typeOf(tree.key);
    return Array.isArray(items) ? items.map((item) => valueOf(type, answerIn(item, inItems.key))) : [];
  }

  number(tree: Tree | undefined): Big | undefined {
    const value = this.of(tree);
    return value instanceof Decimal ? value : undefined;
  }

  truth(tree: Tree | undefined): boolean {
    return this.of(tree) === true;
  }

  label(value: string, key: string): string {
    const { labels } = this.facts;
    const ofField = Object.hasOwn(labels, key) ? (labels[key] ?? {}) : {};
    return Object.hasOwn(ofField, value) ? (ofField[value] ?? value) : value;
  }

  private answer(key: string): Value {
    return valueOf(this.typeOf(key), answerIn(this.facts.answers, key));
  }

  private typeOf(key: string): ResultType | undefined {
    return Object.hasOwn(this.names, key) ? this.names[key]?.type : undefined;
  }
}

const answerIn = (answers: unknown, key: string): unknown =>
  typeof answers === 'object' && answers !== null && Object.hasOwn(answers, key)
    ? (answers as Readonly<Record<string, unknown>>)[key]
    : undefined;

function valueOf(type: ResultType | undefined, answer: unknown): Value {
  if (type === 'number') return typeof answer === 'number' && Number.isFinite(answer) ? bounded(new Decimal(answer)) : undefined;
  if (type === 'truth') return typeof answer === 'boolean' ? answer : undefined;
  if (type === 'list') return listIn(answer);
  if (typeof answer !== 'string' || answer === '') return undefined;
  return type === 'date' ? dayIn(answer) : answer;
}

/** An answer with parts counts as one, and so does an item. Their contents are not read: these may be as long as a request. */
function listIn(answer: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(answer) ? answer : isGiven(answer) ? [answer] : [];
  return list.length === 0 ? undefined : list;
}

const isGiven = (answer: unknown): boolean => typeof answer === 'string' || (typeof answer === 'object' && answer !== null);

function dayIn(answer: string): string | undefined {
  const day = answer.slice(0, 10);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

/**
 * A number beyond the limit is the limit, and stays it in all further arithmetic: were it empty, or could two of them be nothing together, an order that
 * is too large to be paid would cost nothing.
 */
function bounded(number: Big): Big {
  if (number.abs().lt(limit)) return number.round(decimals, Big.roundHalfUp);
  return number.lt(0) ? limit.neg() : limit;
}

const isBeyond = (number: Big): boolean => number.abs().gte(limit);

type Evaluate = (parts: Call['parts'], at: Evaluation) => Value;

const calculating =
  (calculate: (a: Big, b: Big) => Big | undefined): Evaluate =>
  ([first, second], at) => {
    const a = at.number(first);
    const b = at.number(second);
    if (!a || !b) return undefined;
    const result = [a, b].find(isBeyond) ?? calculate(a, b);
    return result && bounded(result);
  };

const changing =
  (change: (number: Big) => Big): Evaluate =>
  ([first], at) => {
    const number = at.number(first);
    return number && bounded(isBeyond(number) ? number : change(number));
  };

/** Negative if the first is smaller; undefined if one of them is empty. */
function difference(a: Value, b: Value): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a instanceof Decimal && b instanceof Decimal) return a.cmp(b);
  return a === b ? 0 : String(a) < String(b) ? -1 : 1;
}

/** A comparison with nothing does not hold. */
const comparing =
  (holds: (difference: number) => boolean): Evaluate =>
  ([first, second], at) => {
    const found = difference(at.of(first), at.of(second));
    return found !== undefined && holds(found);
  };

const isEqual = comparing((found) => found === 0);

/** The one among those that are not empty. */
const choosing =
  (isBetter: (difference: number) => boolean): Evaluate =>
  (parts, at) => {
    let best: Value;
    for (const value of parts.flatMap((part) => at.each(part))) {
      if (best === undefined || isBetter(difference(value, best) ?? 0)) best = value;
    }
    return best;
  };

const down = (number: Big): Big => {
  const whole = number.round(0, Big.roundDown);
  return whole.gt(number) ? whole.minus(1) : whole;
};

const operations: Readonly<Record<Operation, Evaluate>> = {
  or: (parts, at) => parts.some((part) => at.truth(part)),
  and: (parts, at) => parts.every((part) => at.truth(part)),
  not: ([first], at) => !at.truth(first),
  '=': isEqual,
  '!=': (parts, at) => isEqual(parts, at) !== true,
  '<': comparing((found) => found < 0),
  '<=': comparing((found) => found <= 0),
  '>': comparing((found) => found > 0),
  '>=': comparing((found) => found >= 0),
  '+': calculating((a, b) => a.plus(b)),
  '-': calculating((a, b) => a.minus(b)),
  '*': calculating((a, b) => a.times(b)),
  '/': calculating((a, b) => (b.eq(0) ? undefined : a.div(b))),
  '%': calculating((a, b) => (b.eq(0) ? undefined : a.mod(b))),
  negative: changing((number) => number.neg()),
  if: ([condition, met, otherwise], at) => at.of(at.truth(condition) ? met : otherwise),
  sum: (parts, at) => {
    const numbers = parts.flatMap((part) => at.each(part)).filter((value) => value instanceof Decimal);
    return numbers.length === 0 ? undefined : bounded(numbers.find(isBeyond) ?? numbers.reduce((sum, each) => sum.plus(each)));
  },
  min: choosing((found) => found < 0),
  max: choosing((found) => found > 0),
  round: ([first, places], at) => {
    const number = at.number(first);
    const to = places ? at.number(places)?.toNumber() : 0;
    if (!number || to === undefined || !Number.isInteger(to) || Math.abs(to) > decimals) return undefined;
    return bounded(number.round(to, Big.roundHalfUp));
  },
  floor: changing(down),
  ceil: changing((number) => down(number.neg()).neg()),
  abs: changing((number) => number.abs()),
  count: (parts, at) =>
    new Decimal(
      parts
        .flatMap((part) => at.each(part).map((value) => (value === undefined ? 0 : Array.isArray(value) ? value.length : 1)))
        .reduce((sum, each) => sum + each, 0),
    ),
  coalesce: (parts, at) => {
    for (const part of parts) {
      const value = at.of(part);
      if (value !== undefined) return value;
    }
    return undefined;
  },
  concat: (parts, at) => {
    let text = '';
    for (const part of parts) {
      const value = at.of(part);
      if (value === undefined) continue;
      text = cut(text + cut(value instanceof Decimal ? value.toFixed() : String(value)));
    }
    return text === '' ? undefined : text;
  },
  days_between: ([first, second], at) => {
    const [from, to] = [at.of(first), at.of(second)];
    if (typeof from !== 'string' || typeof to !== 'string') return undefined;
    return new Decimal((Date.parse(to) - Date.parse(from)) / 86_400_000);
  },
  today: (_, at) => at.facts.today(),
  selected: ([first, second], at) => {
    const [chosen, value] = [at.of(first), at.of(second)];
    return Array.isArray(chosen) ? chosen.includes(value) : value !== undefined && chosen === value;
  },
  label: ([first], at) => {
    if (first?.kind !== 'name') return undefined;
    const chosen = at.of(first);
    if (chosen === undefined) return undefined;
    let text = '';
    for (const [place, value] of [chosen].flat().entries()) {
      if (text.length > maxTextLength) break;
      text += (place === 0 ? '' : ', ') + at.label(String(value), first.key);
    }
    return cut(text);
  },
};

/** Only what a text can keep, in whole characters. */
function cut(text: string): string {
  if (text.length <= maxTextLength) return text;
  return text.slice(0, maxTextLength - 1) + (isHigh(text.charCodeAt(maxTextLength - 1)) ? '' : text.charAt(maxTextLength - 1));
}

/** The first half of a character that takes two. */
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
