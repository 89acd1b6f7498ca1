import { answerKindOf, boundsOf, isComputed, isNumeric, type Field, type Format } from '@sheaf/contracts';
import { bounds, isDayText, namedInItems, typeInFormulas, type Operation, type Tree } from '@sheaf/formulas';
import { namesIn, NotKept, readCalculation, thoseThere, type Expression } from './calculation-grammar';
import type { Fields } from './expressions';

/** The kind of a value. A `span` is a day that XPath takes for a number of days, a `moment` has a time, and `nothing` is the text without characters. */
type Kind = 'number' | 'text' | 'truth' | 'date' | 'span' | 'moment' | 'list' | 'file' | 'nothing';

/** A part of a formula that computes what a part of an expression does. */
interface Part {
  kind: Kind;
  tree: Tree;
  size: number;
  /** What XPath has in place of an empty result: a text without characters, or no number; undefined if either can be. */
  empty: 'never' | 'blank' | 'no_number' | undefined;
  isWhole?: boolean;
  isNotNegative?: boolean;
  /** The question whose answer it is. */
  field?: KnownField;
}

type KnownField = NonNullable<ReturnType<Fields['get']>>;

/** A calculation as a form has it. */
export interface ReadFormula {
  tree: Tree;
  format: Format;
  /** Differences that its author should know of. */
  remarks: readonly string[];
  /** Whether it depends on a division by what may be zero. */
  mayBeInfinite: boolean;
}

/** The formula that computes what the `calculation` does. @throws NotKept if none computes the same */
export function readFormula(calculation: string, fields: Fields, texts: { areTranslated: boolean }): ReadFormula {
  const translation = new Translation(fields, texts.areTranslated);
  const part = translation.of(readCalculation(calculation));
  // The answer of a box that is ticked is a text.
  const { kind, tree } = part.kind === 'truth' && part.field && !isComputed(part.field) ? translation.text(part) : part;
  const format = Object.hasOwn(formats, kind) ? formats[kind] : undefined;
  if (!format) throw new NotKept(`it gives ${kindWords[kind]}`);
  return { tree, format, remarks: [...translation.remarks], mayBeInfinite: translation.mayBeInfinite };
}

/** The questions that a calculation names; none if it cannot be read. */
export function namesOfCalculation(calculation: string): readonly string[] {
  try {
    return namesIn(readCalculation(calculation));
  } catch (error) {
    if (error instanceof NotKept) return [];
    throw error;
  }
}

const formats: Readonly<Partial<Record<Kind, Format>>> = { number: 'number', text: 'text', truth: 'boolean', date: 'date' };

const kindWords: Readonly<Record<Kind, string>> = {
  ...{ number: 'a number', text: 'a text', truth: 'yes or no', date: 'a day', span: 'a day as a number', moment: 'a day with a time' },
  ...{ list: 'several answers', file: 'a file', nothing: 'nothing' },
};

const canonical = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,14}[1-9])?$/;
const isNumeral = (text: string): boolean => canonical.test(text) && text !== '-0';
const numeric = /^\s*-?(?:\d+(?:\.\d*)?|\.\d+)\s*$/;

const number = (value: string): Part => {
  const digits = value.replace('-', '');
  const literal: Tree = { kind: 'number', value: digits, at: 0 };
  const isNegative = value.startsWith('-');
  return {
    kind: 'number',
    tree: isNegative ? { kind: 'call', of: 'negative', parts: [literal], at: 0 } : literal,
    size: isNegative ? 2 : 1,
    empty: 'never',
    isWhole: !digits.includes('.'),
    isNotNegative: !isNegative,
  };
};
const text = (value: string): Part => ({
  kind: 'text',
  tree: { kind: 'text', value, at: 0 },
  size: 1,
  empty: value === '' ? 'blank' : 'never',
});
const truth = (value: boolean): Part => ({ kind: 'truth', tree: { kind: 'truth', value, at: 0 }, size: 1, empty: 'never' });
const nothing: Part = { ...text(''), kind: 'nothing' };

type Facts = Partial<Omit<Part, 'kind' | 'tree' | 'size'>>;

/** @throws NotKept before a formula grows beyond the bound of its parts */
function call(kind: Kind, of: Operation, parts: readonly Part[], facts: Facts = {}): Part {
  const size = parts.reduce((sum, part) => sum + part.size, 1);
  if (size > bounds.parts) throw new NotKept(`its formula would have more than ${bounds.parts} parts`);
  return { kind, tree: { kind: 'call', of, parts: parts.map(({ tree }) => tree), at: 0 }, size, empty: 'never', ...facts };
}

const isNumber = ({ tree }: Part, value: string): boolean => tree.kind === 'number' && tree.value === value;
const isSame = (a: Tree, b: Tree): boolean => JSON.stringify(a) === JSON.stringify(b);
const isCall = (tree: Tree | undefined, of: Operation): tree is Tree & { kind: 'call' } => tree?.kind === 'call' && tree.of === of;

/** The parts of a count that is compared so, such as `count(a) > 0`. */
const countIn = ({ tree }: Pick<Part, 'tree'>, sign: Operation): Tree | undefined => {
  const [counted, compared] = isCall(tree, sign) ? tree.parts : [];
  return isCall(counted, 'count') && compared?.kind === 'number' && compared.value === '0' ? counted : undefined;
};

const isThere = (...parts: readonly Part[]): Part => compare('>', count(...parts), number('0'));
const isMissing = (...parts: readonly Part[]): Part => compare('=', count(...parts), number('0'));
const count = (...parts: readonly Part[]): Part => call('number', 'count', parts, { isWhole: true, isNotNegative: true });
const compare = (sign: Operation, a: Part, b: Part): Part => call('truth', sign, [a, b]);

function not(part: Part): Part {
  const { tree, size } = part;
  if (tree.kind === 'truth') return truth(!tree.value);
  for (const [sign, opposite] of [
    ['=', '>'],
    ['>', '='],
  ] as const) {
    const counted = countIn(part, sign);
    if (counted) return { ...part, tree: { ...part.tree, of: opposite } as Tree };
  }
  const [inner] = isCall(tree, 'not') ? tree.parts : [];
  return inner ? { ...part, tree: inner, size: size - 1 } : call('truth', 'not', [part]);
}

/** The terms of a chain, from the left, each once. */
const termsOf = (tree: Tree, of: Operation): readonly Tree[] =>
  isCall(tree, of) ? tree.parts.flatMap((part) => termsOf(part, of)) : [tree];

function join(of: 'and' | 'or', a: Part, b: Part): Part {
  const decisive = of === 'or';
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    if (one.tree.kind === 'truth') return one.tree.value === decisive ? one : other;
  const plain = withoutMissing(of, a, b);
  if (plain) return plain;
  return termsOf(a.tree, of).some((term) => isSame(term, b.tree)) ? a : call('truth', of, [a, b]);
}

/** As a formula compares: `a = b and a != ''` without two missing values, and `a != b or a = ''` with them. */
function withoutMissing(of: 'and' | 'or', a: Part, b: Part): Part | undefined {
  const [sign, whole, how] = of === 'and' ? (['=', 'or', '>'] as const) : (['!=', 'and', '='] as const);
  const [compared, ofBoth] = isCall(a.tree, whole) ? a.tree.parts : [];
  const both = ofBoth && countIn({ tree: ofBoth }, of === 'and' ? '=' : '>');
  const one = countIn(b, how);
  if (!isCall(compared, sign) || !isCall(both, 'count') || !isCall(one, 'count') || one.parts.length !== 1) return undefined;
  const isOfThem = both.parts.every((part, index) => isSame(part, compared.parts[index] ?? part));
  if (!isOfThem || !both.parts.some((part) => one.parts[0] && isSame(part, one.parts[0]))) return undefined;
  return { ...a, tree: compared, size: sizeOf(compared) };
}

const sizeOf = (tree: Tree): number => (tree.kind === 'call' ? tree.parts.reduce((sum, part) => sum + sizeOf(part), 1) : 1);

const anyOf = (parts: readonly Part[]): Part => parts.reduce((all, part) => join('or', all, part), truth(false));

type Sign = '=' | '!=' | '<' | '<=' | '>' | '>=';

class Translation {
  readonly remarks = new Set<string>();
  mayBeInfinite = false;
  /** The questions with answers of several values. */
  private readonly several = new Set<string>();

  constructor(
    private readonly fields: Fields,
    readonly isTranslated: boolean,
  ) {}

  of(expression: Expression): Part {
    if (expression.is === 'number') return number(expression.text);
    if (expression.is === 'text') return expression.text === '' ? nothing : text(expression.text);
    if (expression.is === 'name') return this.answer(expression.text);
    const { of, parts } = expression;
    if (Object.hasOwn(signs, of)) return lengthCompared(this, of, parts) ?? this.compared(of as Sign, this.pair(parts));
    const known = Object.hasOwn(functions, of) ? functions[of] : undefined;
    if (of === thoseThere) throw new NotKept(`it takes ${thoseThere} of an answer that it does not count`);
    if (!known) throw new NotKept(`formulas have no ${of.slice(0, 64)}()`);
    const [least, most, read] = known;
    if (parts.length < least || parts.length > most) throw new NotKept(`${of}() has another number of values`);
    return read(this, parts);
  }

  pair([first, second]: readonly Expression[]): [Part, Part] {
    if (!first || !second) throw new NotKept('a value is missing');
    return [this.of(first), this.of(second)];
  }

  private answer(name: string): Part {
    const field = this.fields.get(name);
    if (!field) throw new NotKept(`"${name.slice(0, 64)}" is no earlier question whose answers formulas can use`);
    this.mayBeInfinite ||= field.mayBeInfinite === true;
    const tree: Tree = { kind: 'name', key: field.key, at: 0 };
    const { min } = boundsOf(field);
    const kind = kindIn(field);
    if (kind === 'list' || kind === 'file') this.several.add(field.key);
    return {
      ...{ kind, tree, size: 1, field, empty: 'blank' },
      isWhole: answerKindOf(field) === 'whole',
      isNotNegative: isNumeric(field) && min !== undefined && min >= 0,
    };
  }

  /** The answers to a question of an earlier repeat, one of each item; undefined for anything else. */
  inItems(expression: Expression | undefined): Part | undefined {
    const found = expression?.is === 'name' ? this.fields.ofItems?.(expression.text) : undefined;
    if (!found) return undefined;
    const { repeat, field } = found;
    this.mayBeInfinite ||= field.mayBeInfinite === true;
    const { min } = boundsOf(field);
    return {
      ...{ kind: kindIn(field), tree: { kind: 'name', key: `${repeat.key}.${field.key}`, at: 0 }, size: 1, empty: 'no_number' },
      isWhole: answerKindOf(field) === 'whole',
      isNotNegative: isNumeric(field) && min !== undefined && min >= 0,
    };
  }

  /** The number of items of an earlier repeat: there is a node for each, and for each of its questions in it. Or that of the answers to one of them. */
  countOf(expression: Expression | undefined): Part {
    if (expression?.is !== 'call' || expression.of !== thoseThere) return this.itemsOf(expression);
    const part = this.inItems(expression.parts[0]);
    if (!part) throw new NotKept(`count() takes ${thoseThere} of something else than a question of a repeat`);
    if (part.kind === 'list') throw new NotKept(`count() takes ${thoseThere} of several answers, of which formulas count each`);
    return this.countInItems(part);
  }

  /** The number of options that are chosen in all items: `join(' ', ${q})` has them in one text. Undefined for any other expression. */
  chosenInItems(expression: Expression | undefined): Part | undefined {
    const [separator, answers] = expression?.is === 'call' && expression.of === 'join' ? expression.parts : [];
    const part = separator?.is === 'text' && separator.text === ' ' ? this.inItems(answers) : undefined;
    return part?.kind === 'list' ? this.countInItems(part) : undefined;
  }

  private countInItems(part: Part): Part {
    if (part.tree.kind === 'name') this.several.add(part.tree.key);
    return count(part);
  }

  private itemsOf(expression: Expression | undefined): Part {
    const name = expression?.is === 'name' ? expression.text : '';
    const repeat = this.fields.repeat?.(name) ?? this.fields.ofItems?.(name)?.repeat;
    if (!repeat) throw new NotKept('count() takes something else than a repeat');
    this.several.add(repeat.key);
    return count({ kind: 'list', tree: { kind: 'name', key: repeat.key, at: 0 }, size: 1, empty: 'never' });
  }

  /** The value where XPath takes it for a number. */
  number(part: Part): Part {
    if (part.kind === 'number') return part;
    if (part.kind === 'truth' && !part.field) return this.chosen(part, number('1'), number('0'));
    if (part.kind === 'text' && part.tree.kind === 'text' && numeric.test(part.tree.value)) return number(plain(part.tree.value));
    if (part.kind === 'text' && part.field?.options) return numberOfOption(part, part.field.options);
    throw new NotKept(`it computes with ${kindWords[part.kind]}`);
  }

  /** The value where XPath takes it for true or false. Programs do not agree on that of an answer. */
  truth(part: Part): Part {
    if (part.kind === 'truth') return isTrue(part);
    if (part.field) throw new NotKept(`it takes the answer to "${part.field.key}" for yes or no`);
    if (part.kind === 'number') return compare('!=', part.empty === 'never' ? part : coalesce(part, number('0')), number('0'));
    if (part.kind === 'nothing') return truth(false);
    if (part.kind === 'text') return part.empty === 'never' ? truth(true) : isThere(part);
    throw new NotKept(`it takes ${kindWords[part.kind]} for yes or no`);
  }

  /** The value as XPath writes it. */
  text(part: Part): Part {
    if (part.kind === 'text') return part;
    if (part.kind === 'nothing') return text('');
    if (part.kind === 'number' || part.kind === 'date') {
      if (part.tree.kind === 'number' && isNumeral(part.tree.value)) return text(part.tree.value);
      return call('text', 'concat', [part], { empty: part.empty === 'never' ? 'never' : 'blank' });
    }
    if (part.kind !== 'truth') throw new NotKept(`it takes ${kindWords[part.kind]} for a text`);
    // The answer of a box that is ticked.
    if (part.field && !isComputed(part.field)) return call('text', 'if', [part, text('OK')], { empty: 'blank' });
    return call('text', 'if', [part, text('true'), text('false')]);
  }

  /** Whether it counts something that is there or not, so that the count is 0 or 1. */
  private isOne(counted: Tree): boolean {
    const [only, ...others] = isCall(counted, 'count') ? counted.parts : [];
    return only !== undefined && others.length === 0 && !(only.kind === 'name' && this.several.has(only.key));
  }

  /** `if(condition, met, otherwise)` */
  chosen(condition: Part, met: Part, otherwise: Part): Part {
    if (condition.tree.kind === 'truth') return condition.tree.value ? met : otherwise;
    if (met.kind === 'nothing' && otherwise.kind === 'nothing') return nothing;
    if (met.kind === 'nothing') return this.chosen(not(condition), otherwise, met);
    const there = countIn(condition, '>');
    if (there && this.isOne(there) && isNumber(met, '1') && isNumber(otherwise, '0'))
      return { kind: 'number', tree: there, size: condition.size - 2, empty: 'never', isWhole: true, isNotNegative: true };
    if (otherwise.kind === 'nothing') {
      const [one, inner] = isCall(met.tree, 'if') && met.tree.parts.length === 2 ? met.tree.parts : [];
      if (one && inner && isSame(one, condition.tree)) return met;
      const [only] = this.alike([met]);
      const empty = met.empty === 'no_number' || met.empty === undefined ? undefined : 'blank';
      return call(only.kind, 'if', [condition, only], { ...signOf([only]), empty });
    }
    const [first, second] = this.alike([met, otherwise]) as [Part, Part];
    const empty =
      met.empty === otherwise.empty
        ? met.empty
        : met.empty === 'never'
          ? otherwise.empty
          : otherwise.empty === 'never'
            ? met.empty
            : undefined;
    return call(first.kind, 'if', [condition, first, second], { ...signOf([first, second]), empty });
  }

  /** The values of one kind. XPath decides by each value whether it is a number; a formula has one kind for all. */
  alike(parts: readonly [Part, ...Part[]]): [Part, ...Part[]] {
    const kinds = new Set(parts.map(({ kind }) => kind));
    const as = (read: (part: Part) => Part) => parts.map(read) as [Part, ...Part[]];
    if (kinds.has('date') && parts.every((part) => part.kind === 'date' || isDayText(part.tree)))
      return as((part) => ({ ...part, kind: 'date' }));
    const [only = 'text'] = kinds;
    if (kinds.size === 1 && (only === 'span' || (only === 'truth' && parts.every(({ field }) => !field)))) return [...parts];
    if (parts.every(({ kind, tree }) => kind === 'number' || (tree.kind === 'text' && isNumeral(tree.value))))
      return as((part) => this.number(part));
    if (kinds.has('truth')) throw new NotKept('one of its results is yes or no, and another one is not');
    return as((part) => this.text(part));
  }

  compared(sign: Sign, [a, b]: [Part, Part]): Part {
    const isEqual = sign === '=' || sign === '!=';
    const yes = (part: Part) => (sign === '!=' ? not(part) : part);
    if (isEqual && (a.kind === 'nothing' || b.kind === 'nothing')) return yes(isBlank(a.kind === 'nothing' ? b : a));
    if (isEqual && (a.kind === 'truth' || b.kind === 'truth')) return yes(areBoth(a, b, (part) => this.truth(part)));
    if (isEqual && a.kind === 'list') return yes(isAlone(a, b));
    if (isEqual && b.kind === 'list') return yes(isAlone(b, a));
    const [first, second] = this.comparable(sign, a, b);
    if (isEqual && first.kind === 'truth') return yes(first);
    const said = compare(sign, first, second);
    // Two answers that are missing are equal in an XLSForm, but not in a formula.
    if (!isEqual || a.empty === 'never' || b.empty === 'never' || a.empty === 'no_number' || b.empty === 'no_number') return said;
    if ([a, b, first, second].some(({ empty }) => empty === undefined)) throw new NotKept('it compares results that may be empty');
    return sign === '=' ? join('or', said, isMissing(first, second)) : join('and', said, isThere(first, second));
  }

  /** Both as what they are compared as; for an answer that equals a number, whether it is one of the options that are that number. */
  private comparable(sign: Sign, a: Part, b: Part): [Part, Part] {
    const isEqual = sign === '=' || sign === '!=';
    const days = [a, b].map((part) => part.kind === 'date' || part.kind === 'span');
    if (days.includes(true)) {
      if ((days[0] ?? false) && (days[1] ?? false)) return [a, b];
      if (isDayText(a.tree) || isDayText(b.tree)) return [a, b];
      throw new NotKept('it compares a day with something else');
    }
    if (isEqual && a.kind === 'text' && b.kind === 'text') return [a, b];
    if (isEqual)
      for (const [option, other] of [
        [a, b],
        [b, a],
      ] as const)
        if (option.field?.options && option.kind === 'text' && other.tree.kind === 'number') {
          const value = Number(other.tree.value);
          const same = option.field.options.filter((each) => numeric.test(each.value) && Number(each.value) === value);
          return [anyOf(same.map((each) => compare('=', option, text(each.value)))), other];
        }
    return [this.number(a), this.number(b)];
  }
}

const signs: Readonly<Record<Sign, true>> = { '=': true, '!=': true, '<': true, '<=': true, '>': true, '>=': true };

function kindIn(field: KnownField): Kind {
  const kind = answerKindOf(field);
  if (kind === 'datetime') return 'moment';
  if (kind === 'file') return 'file';
  return typeInFormulas(field as Field);
}

const plain = (digits: string): string => {
  const [whole = '', fraction = ''] = digits.trim().replace('-', '').split('.');
  const value = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`;
  return digits.trim().startsWith('-') ? `-${value}` : value;
};

/** A missing answer is false where a result has to be one or the other. */
const isTrue = (part: Part): Part => (part.field ? compare('=', part, truth(true)) : part);

/** Whether it is a text without characters. */
function isBlank(part: Part): Part {
  // A box that is not ticked has no answer.
  if (part.kind === 'truth' && !(part.field && isComputed(part.field))) return not(isTrue(part));
  if (part.empty === 'never' || part.empty === 'no_number') return truth(false);
  if (part.kind === 'nothing') return truth(true);
  if (part.empty === undefined) throw new NotKept('it asks whether a result is empty that may also be no number');
  return isMissing(part);
}

/** Whether a truth is the same as another one, or as the word or number for one. */
function areBoth(a: Part, b: Part, asTruth: (part: Part) => Part): Part {
  if (a.kind === 'truth' && b.kind === 'truth')
    return b.tree.kind === 'truth' ? (b.tree.value ? isTrue(a) : not(isTrue(a))) : compare('=', isTrue(a), isTrue(b));
  const [is, word] = a.kind === 'truth' ? [a, b] : [b, a];
  if (!is.field) {
    if (word.kind === 'number')
      return areBoth(is, asTruth(word.tree.kind === 'number' ? truth(Number(word.tree.value) !== 0) : word), asTruth);
  } else if (isComputed(is.field)) {
    const said = word.tree.kind === 'text' || word.tree.kind === 'number' ? word.tree.value : '';
    if (said === 'true' || said === '1') return isTrue(is);
    // One that is missing, as its condition is not met, is neither.
    if (said === 'false' || said === '0') return compare('=', is, truth(false));
  } else if (word.tree.kind === 'text') return word.tree.value === 'OK' ? isTrue(is) : truth(false);
  throw new NotKept('it compares yes or no with something else');
}

/** Whether only this option of several is chosen. */
function isAlone(list: Part, option: Part): Part {
  if (option.tree.kind !== 'text' || !hasOption(list, option.tree.value))
    throw new NotKept('it compares several answers with something else');
  return join('and', call('truth', 'selected', [list, option]), compare('=', count(list), number('1')));
}

const hasOption = ({ field }: Part, value: string): boolean => field?.options?.some((option) => option.value === value) === true;

/** An option is a number if its value is written as one. */
function numberOfOption(part: Part, options: NonNullable<Field['options']>): Part {
  const numbers = options.filter(({ value }) => numeric.test(value));
  if (numbers.length === 0) throw new NotKept(`no option of "${part.field?.key ?? ''}" is a number`);
  const values = numbers.map(({ value }) => number(plain(value)));
  const choices = numbers.map(({ value }, at) => call('number', 'if', [compare('=', part, text(value)), values[at] ?? number('0')]));
  const [first] = choices;
  const empty = numbers.length === options.length ? 'blank' : undefined;
  const facts = { ...signOf(values), empty } as const;
  return first && choices.length === 1 ? { ...first, ...facts } : call('number', 'coalesce', choices, facts);
}

const signOf = (parts: readonly Part[]): Pick<Part, 'isWhole' | 'isNotNegative'> => ({
  isWhole: parts.every((part) => part.isWhole === true),
  isNotNegative: parts.every((part) => part.isNotNegative === true),
});

const coalesce = (first: Part, second: Part): Part =>
  call(first.kind, 'coalesce', [first, second], { ...signOf([first, second]), empty: second.empty });

const arithmetic = (of: Operation, a: Part, b: Part, facts: Facts = {}): Part =>
  call('number', of, [a, b], { empty: a.empty === 'never' && b.empty === 'never' ? 'never' : 'no_number', ...facts });

function plus(a: Part, b: Part): Part {
  // Counts of several answers are one.
  if (isCall(a.tree, 'count') && isCall(b.tree, 'count'))
    return { ...a, tree: { ...a.tree, parts: [...a.tree.parts, ...b.tree.parts] }, size: a.size + b.size - 1 };
  return arithmetic('+', a, b, signOf([a, b]));
}

function minus(at: Translation, a: Part, b: Part): Part {
  const areDays = [a, b].map(({ kind }) => kind === 'date' || kind === 'span');
  if (areDays[0] && areDays[1])
    return call('number', 'days_between', [b, a], {
      isWhole: true,
      empty: a.empty === 'never' && b.empty === 'never' ? 'never' : 'no_number',
    });
  const [from, less] = [at.number(a), at.number(b)];
  if (isNumber(from, '0')) return negative(less);
  return arithmetic('-', from, less, { isWhole: from.isWhole === true && less.isWhole === true });
}

const negative = (part: Part): Part =>
  isNumber(part, '0')
    ? part
    : call('number', 'negative', [part], { empty: part.empty === 'never' ? 'never' : 'no_number', isWhole: part.isWhole === true });

function divided(at: Translation, a: Part, b: Part): Part {
  const { tree } = b;
  const isSafe = tree.kind === 'number' && Number(tree.value) !== 0;
  if (!isSafe) {
    at.mayBeInfinite = true;
    at.remarks.add(
      'where it divides by zero, its result is empty, so no conditions are kept that depend on it; in an XLSForm it is infinite',
    );
  }
  return arithmetic('/', a, b, {
    isNotNegative: a.isNotNegative === true && b.isNotNegative === true,
    ...(isSafe ? {} : { empty: 'no_number' }),
  });
}

const remainder = (a: Part, b: Part): Part =>
  arithmetic('%', a, b, {
    isWhole: a.isWhole === true && b.isWhole === true,
    isNotNegative: a.isNotNegative === true,
    ...(b.tree.kind === 'number' && Number(b.tree.value) !== 0 ? {} : { empty: 'no_number' }),
  });

const numberFacts = ({ empty }: Part, facts: Facts = {}): Facts => ({ empty: empty === 'never' ? 'never' : 'no_number', ...facts });

const floor = (part: Part): Part =>
  part.isWhole
    ? asComputed(part)
    : call('number', 'floor', [part], numberFacts(part, { isWhole: true, isNotNegative: part.isNotNegative === true }));

const ceiling = (part: Part): Part =>
  part.isWhole
    ? asComputed(part)
    : call('number', 'ceil', [part], numberFacts(part, { isWhole: true, isNotNegative: part.isNotNegative === true }));

/** Without its fraction: towards zero, where `floor` is towards less. */
function truncated(part: Part): Part {
  if (part.isWhole || part.isNotNegative) return floor(part);
  return arithmetic('-', part, remainder(part, number('1')), { isWhole: true });
}

/** An answer that XPath computes with is no number if it is missing. */
const asComputed = ({ field: _, ...part }: Part): Part => ({ ...part, ...numberFacts(part) });

/** XPath rounds halves up, also those of negative numbers; a formula rounds them away from zero. */
function rounded(part: Part, places: number): Part {
  if (part.isWhole && places >= 0) return asComputed(part);
  if (part.isNotNegative) {
    const facts = numberFacts(part, { isWhole: places <= 0, isNotNegative: true });
    return call('number', 'round', places === 0 ? [part] : [part, number(String(places))], facts);
  }
  const half = (of: Part) => floor(arithmetic('+', of, number('0.5')));
  const scale = number(`1${'0'.repeat(Math.abs(places))}`);
  if (places === 0) return half(part);
  return places > 0
    ? arithmetic('/', half(arithmetic('*', part, scale)), scale)
    : arithmetic('*', half(arithmetic('/', part, scale)), scale, { isWhole: true });
}

/** The most places of a number that XPath can tell apart. */
const maxPlaces = 15;

/** The least or the greatest of numbers, or of days. XPath has none if one of them is missing; there may be no items. */
function extreme(at: Translation, of: 'min' | 'max', values: readonly Part[]): Part {
  const areDays = values.every(({ kind }) => kind === 'date' || kind === 'span');
  const parts = areDays ? values : values.map((value) => at.number(value));
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  const found = call(areDays ? 'span' : 'number', of, parts, signOf(parts));
  const missing = parts.filter(({ tree, empty }) => empty !== 'never' && !isInItems(tree));
  if (missing.length === 0) return parts.every(({ tree }) => isInItems(tree)) ? { ...found, empty: 'no_number' } : found;
  if (missing.some(({ empty }) => empty !== 'blank')) throw new NotKept(`${of}() takes computed values that may be missing`);
  const areThere = compare('=', count(...missing), number(String(missing.length)));
  return { ...call(found.kind, 'if', [areThere, found], signOf(parts)), empty: 'no_number' };
}

const isInItems = (tree: Tree): boolean => tree.kind === 'name' && namedInItems(tree.key) !== undefined;

function extremeInItems(at: Translation, of: 'min' | 'max', [only, ...others]: readonly Expression[]): Part | undefined {
  const part = others.length === 0 ? at.inItems(only) : undefined;
  if (!part) return undefined;
  const isDay = part.kind === 'date';
  return call(isDay ? 'span' : 'number', of, [isDay ? part : at.number(part)], { ...signOf([part]), empty: 'no_number' });
}

/** A sum over no items is 0 in an XLSForm. */
function summed(at: Translation, of: Expression | undefined): Part {
  const part = at.inItems(of);
  if (!part) return asComputed(at.number(of ? at.of(of) : nothing));
  at.remarks.add('an item without an answer counts as 0; in an XLSForm there is no sum then');
  return coalesce(call('number', 'sum', [at.number(part)], { ...signOf([part]), empty: 'no_number' }), number('0'));
}

function power(at: Translation, base: Part, exponent: Part): Part {
  const [of, times] = [at.number(base), exponent.tree.kind === 'number' ? Number(exponent.tree.value) : 0];
  if (!Number.isInteger(times) || times < 1 || times > 4) throw new NotKept('pow() has an exponent other than 1 to 4');
  let product = of;
  for (let time = 1; time < times; time += 1) product = arithmetic('*', product, of, signOf([of]));
  return product;
}

function selected(list: Part, item: Part): Part {
  if (list.kind === 'text' && list.tree.kind === 'text') {
    if (item.kind !== 'text') throw new NotKept('selected() asks for something else than an option');
    const values = list.tree.value.split(/\s+/).filter((value) => value !== '');
    return anyOf(values.map((value) => compare('=', item, text(value))));
  }
  const { options } = list.field ?? {};
  const wanted = item.tree.kind === 'text' ? item.tree.value : item.tree.kind === 'number' ? item.tree.value : undefined;
  if (!options || wanted === undefined) throw new NotKept('selected() asks for something else than an option of a question');
  return hasOption(list, wanted) ? call('truth', 'selected', [list, text(wanted)]) : truth(false);
}

function labelOf(at: Translation, [choice, of]: readonly Expression[]): Part {
  const part = choice && at.of(choice);
  const named = of?.is === 'text' ? /^\s*\$\{\s*([^{}\s]+)\s*\}\s*$/.exec(of.text)?.[1] : of?.is === 'name' ? of.text : undefined;
  const asked = named === undefined ? undefined : at.of({ is: 'name', text: named });
  if (!part?.field?.options || asked?.field !== part.field) throw new NotKept('jr:choice-name() asks for the label of another answer');
  if (at.isTranslated) at.remarks.add('the label of the option is in the language of the form, also for people who read it in another one');
  return call('text', 'label', [part], { empty: 'blank' });
}

/** `string-length(x) > 0` says that there is something, which is all that formulas know of lengths. */
function lengthCompared(at: Translation, sign: string, [length, to]: readonly Expression[]): Part | undefined {
  if (length?.is !== 'call' || length.of !== 'string-length' || to?.is !== 'number') return undefined;
  const said = `${sign}${to.text}`;
  const [of] = length.parts;
  const part = of && at.of(of);
  if (!part || (part.kind !== 'text' && !part.field)) return undefined;
  if (['>0', '>=1', '!=0'].includes(said)) return not(isBlank(part));
  return ['<1', '<=0', '=0'].includes(said) ? isBlank(part) : undefined;
}

/** The number of options that are chosen. */
function counted(part: Part): Part {
  if (!part.field?.options) throw new NotKept('count-selected() takes something else than a question with options');
  return count(part);
}

const literalOf = (expression: Expression | undefined): string => (expression?.is === 'number' ? expression.text : '');

/**
 * XPath has `int()`, which only cuts the fraction off; with a correction for negative numbers, or for positive ones, it is what `floor()` and `ceil()`
 * are.
 */
function floorOrCeiling(at: Translation, [cut, correction]: readonly Expression[], sign: '+' | '-'): Part | undefined {
  const [of] = cut?.is === 'call' && cut.of === 'int' ? cut.parts : [];
  const corrected: Expression = {
    ...{ is: 'call', of: 'if' },
    parts: [{ is: 'call', of: sign === '-' ? '<' : '>', parts: [of ?? zero, cut ?? zero] }, { is: 'number', text: '1' }, zero],
  };
  if (!of || !correction || JSON.stringify(correction) !== JSON.stringify(corrected)) return undefined;
  return (sign === '-' ? floor : ceiling)(at.number(at.of(of)));
}

const zero: Expression = { is: 'number', text: '0' };

function dateOf(part: Part): Part {
  if (part.kind === 'date') return part;
  if (part.kind === 'span') return { ...part, kind: 'date', empty: part.empty === 'never' ? 'never' : 'blank' };
  if (isDayText(part.tree)) return part;
  throw new NotKept(`date() takes ${kindWords[part.kind]}`);
}

function formatted(at: Translation, part: Part, format: Part): Part {
  if (part.kind !== 'date' || format.tree.kind !== 'text' || format.tree.value.replace('%n', '%m') !== '%Y-%m-%d')
    throw new NotKept('formulas write days only as 2026-05-31');
  return at.text(part);
}

type Read = (at: Translation, parts: readonly Expression[]) => Part;

const one =
  (read: (part: Part, at: Translation) => Part): Read =>
  (at, [first]) =>
    read(first ? at.of(first) : nothing, at);

const two =
  (read: (a: Part, b: Part, at: Translation) => Part): Read =>
  (at, parts) =>
    read(...at.pair(parts), at);

const joining = (of: 'and' | 'or') => two((a, b, at) => join(of, at.truth(a), at.truth(b)));

const many = Infinity;

/** The functions and operators of XPath and of ODK, with the least and the most values that each takes. */
const functions: Readonly<Record<string, readonly [least: number, most: number, read: Read]>> = {
  or: [2, 2, joining('or')],
  and: [2, 2, joining('and')],
  not: [1, 1, one((part, at) => not(at.truth(part)))],
  true: [0, 0, () => truth(true)],
  false: [0, 0, () => truth(false)],
  boolean: [1, 1, one((part, at) => at.truth(part))],
  '+': [2, 2, (at, parts) => floorOrCeiling(at, parts, '+') ?? two((a, b) => plus(at.number(a), at.number(b)))(at, parts)],
  '-': [2, 2, (at, parts) => floorOrCeiling(at, parts, '-') ?? two((a, b) => minus(at, a, b))(at, parts)],
  '*': [2, 2, two((a, b, at) => arithmetic('*', at.number(a), at.number(b), signOf([at.number(a), at.number(b)])))],
  div: [2, 2, two((a, b, at) => divided(at, at.number(a), at.number(b)))],
  mod: [2, 2, two((a, b, at) => remainder(at.number(a), at.number(b)))],
  negative: [1, 1, one((part, at) => negative(at.number(part)))],
  if: [3, 3, (at, [condition, ...outcomes]) => at.chosen(at.truth(condition ? at.of(condition) : nothing), ...at.pair(outcomes))],
  coalesce: [
    2,
    2,
    two((a, b, at) => {
      if (a.kind === 'nothing' || b.kind === 'nothing') return a.kind === 'nothing' ? b : a;
      if (a.empty === 'never') return a;
      if (a.kind === 'truth') throw new NotKept('coalesce() takes yes or no');
      const [first, second] = at.alike([a, b]) as [Part, Part];
      return coalesce(first, second);
    }),
  ],
  concat: [
    1,
    many,
    (at, parts) => {
      const texts = parts.map((part) => at.of(part)).map((part) => (part.kind === 'number' || part.kind === 'date' ? part : at.text(part)));
      return call('text', 'concat', texts, { empty: texts.some(({ empty }) => empty === 'never') ? 'never' : 'blank' });
    },
  ],
  string: [1, 1, one((part, at) => at.text(part))],
  number: [1, 1, one((part, at) => asComputed(at.number(part)))],
  int: [1, 1, one((part, at) => truncated(at.number(part)))],
  floor: [1, 1, one((part, at) => floor(at.number(part)))],
  ceiling: [1, 1, one((part, at) => ceiling(at.number(part)))],
  abs: [
    1,
    1,
    one((part, at) => call('number', 'abs', [at.number(part)], numberFacts(part, { isWhole: part.isWhole === true, isNotNegative: true }))),
  ],
  pow: [2, 2, two((a, b, at) => power(at, a, b))],
  round: [
    1,
    2,
    (at, [of, to]) => {
      const places = to === undefined ? '0' : to.is === 'call' && to.of === 'negative' ? `-${literalOf(to.parts[0])}` : literalOf(to);
      if (!/^-?\d{1,2}$/.test(places) || Math.abs(Number(places)) > maxPlaces)
        throw new NotKept(`round() has other places than a whole number up to ${maxPlaces}`);
      return rounded(at.number(of ? at.of(of) : nothing), Number(places));
    },
  ],
  min: [
    1,
    many,
    (at, parts) =>
      extremeInItems(at, 'min', parts) ??
      extreme(
        at,
        'min',
        parts.map((part) => at.inItems(part) ?? at.of(part)),
      ),
  ],
  max: [
    1,
    many,
    (at, parts) =>
      extremeInItems(at, 'max', parts) ??
      extreme(
        at,
        'max',
        parts.map((part) => at.inItems(part) ?? at.of(part)),
      ),
  ],
  sum: [1, 1, (at, [of]) => summed(at, of)],
  count: [1, 1, (at, [of]) => at.countOf(of)],
  'count-selected': [1, 1, (at, parts) => at.chosenInItems(parts[0]) ?? one(counted)(at, parts)],
  selected: [2, 2, two((list, item) => selected(list, item))],
  'jr:choice-name': [2, 2, labelOf],
  today: [0, 0, () => call('date', 'today', [])],
  date: [1, 1, one((part) => dateOf(part))],
  'decimal-date-time': [1, 1, one((part) => ({ ...dateOf(part), kind: 'span' }))],
  'format-date': [2, 2, two((part, format, at) => formatted(at, part, format))],
};
