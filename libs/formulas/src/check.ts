import { answerKindOf, answerTraitsOf, fieldsOfItem, type Field, type Format } from '@sheaf/contracts';
import type { FormulaFault } from './faults';
import { parseFormula, Refused } from './parse';
import { functionsOfItems, namedInItems, type Operation, type ResultType, type Tree } from './tree';

/** The facts of a field that evaluating needs. Labels of options are kept once for all formulas, as a thousand long ones may be asked for by each. */
export interface Name {
  type: ResultType;
  /** Whether `label` asks for the labels of its options. */
  isLabelled?: true;
}

/** A formula that is right, with all that evaluating it needs but answers and labels. Pages get it as JSON. */
export interface Formula {
  tree: Tree;
  names: Readonly<Record<string, Name>>;
  gives: Exclude<ResultType, 'list'>;
}

/** The type of result that each format needs. */
export const typeOfFormat: Readonly<Record<Format, Formula['gives']>> = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  text: 'text',
  date: 'date',
  boolean: 'truth',
};

/** The type of the answers to a field in a formula. */
export const typeInFormulas = (field: Field): ResultType => answerTraitsOf(field).inFormulas ?? 'list';

/** @param fieldOf finds an earlier field, so that no formula depends on itself */
export function checkFormula(
  text: string,
  fieldOf: (key: string) => Field | undefined,
): { formula: Formula; fault?: undefined } | { fault: FormulaFault } {
  try {
    const tree = parseFormula(text);
    const checker = new Checker(fieldOf);
    const gives = checker.typeOf(tree);
    if (gives === 'list') throw new Refused(wrongType(tree, plain, gives));
    return { formula: { tree, names: checker.names, gives } };
  } catch (error) {
    if (error instanceof Refused) return { fault: error.fault };
    throw error;
  }
}

const plain = ['number', 'text', 'truth', 'date'] as const;

const wrongType = ({ at }: Tree, expected: readonly ResultType[], found: ResultType): FormulaFault => ({
  code: 'type_expected',
  at,
  expected,
  found,
});

type Call = Tree & { kind: 'call' };

class Checker {
  /** Without what every object has, because a key may be `constructor`. */
  readonly names = Object.create(null) as Record<string, Name>;

  /** The names that stand where the answers in all items are taken. */
  private readonly taken = new Set<Tree>();

  constructor(private readonly fieldOf: (key: string) => Field | undefined) {}

  typeOf(tree: Tree): ResultType {
    if (tree.kind === 'call') return this.ofCall(tree);
    return tree.kind === 'name' ? this.ofName(tree, false) : tree.kind;
  }

  private ofName(name: Tree & { kind: 'name' }, isCounted: boolean): ResultType {
    const { key, at } = name;
    const field = this.named(key);
    if (!field) throw new Refused({ code: 'name_unknown', at, name: key });
    if (namedInItems(key) && !this.taken.has(name)) throw new Refused({ code: 'name_of_items', at, name: key });
    if (answerTraitsOf(field).inFormulas === undefined && !isCounted) throw new Refused({ code: 'name_unusable', at, name: key });
    const type = typeInFormulas(field);
    this.names[key] ??= { type };
    return type;
  }

  private named(name: string): Field | undefined {
    const inItems = namedInItems(name);
    if (!inItems) return this.fieldOf(name);
    return fieldsOfItem(this.fieldOf(inItems.repeat) ?? {}).find(({ key }) => key === inItems.key);
  }

  private ofCall(call: Call): ResultType {
    const { least, most, type } = operations[call.of];
    const { of, parts, at } = call;
    if (parts.length < least || parts.length > most) throw new Refused({ code: 'wrong_count', at, name: of, least, most });
    if (functionsOfItems.includes(of)) for (const part of parts) this.taken.add(part);
    return type(this, call);
  }

  /** Each part is of one of the types; a text that is written as a day is one. */
  all(parts: readonly Tree[], ...types: readonly ResultType[]): void {
    for (const part of parts) {
      const found = this.typeOf(part);
      if (!types.includes(found) && !(types.includes('date') && isDayText(part))) throw new Refused(wrongType(part, types, found));
    }
  }

  /** The one type of all parts. */
  same(parts: readonly Tree[], ...types: readonly ResultType[]): ResultType {
    const found = parts.map((part) => this.typeOf(part));
    // The first that is no text decides whether a text is a day.
    const type = found.find((each, at) => types.includes(each) && !isDayText(parts[at])) ?? found.find((each) => types.includes(each));
    const expected = type === undefined ? types : [type];
    for (const [at, part] of parts.entries()) {
      const each = found[at] ?? 'text';
      if (!expected.includes(each) && !(expected.includes('date') && isDayText(part))) throw new Refused(wrongType(part, expected, each));
    }
    return type ?? 'date';
  }

  counted(parts: readonly Tree[]): void {
    for (const part of parts)
      if (part.kind === 'name') this.ofName(part, true);
      else this.typeOf(part);
  }

  /** The field with options that a function asks for. */
  choice({ of, parts: [first], at }: Call): Field {
    const field = first?.kind === 'name' ? this.fieldOf(first.key) : undefined;
    if (first?.kind !== 'name' || (field && !['option', 'options'].includes(answerKindOf(field))))
      throw new Refused({ code: 'choice_expected', at: first?.at ?? at, name: of });
    this.ofName(first, false);
    if (!field) throw new Error('a name without a field');
    return field;
  }

  label(call: Call): ResultType {
    const field = this.choice(call);
    this.names[field.key] = { type: typeInFormulas(field), isLabelled: true };
    return 'text';
  }

  selected(call: Call): ResultType {
    const { options = [] } = this.choice(call);
    const [, value] = call.parts;
    if (value) this.all([value], 'text');
    if (value?.kind === 'text' && !options.some((option) => option.value === value.value))
      throw new Refused({ code: 'option_unknown', at: value.at, name: value.value.slice(0, 64) });
    return 'truth';
  }
}

/** Whether the part is a text such as '2026-05-31', which is a day where one is expected. */
export const isDayText = (part: Tree | undefined): boolean => part?.kind === 'text' && isDay(part.value);

export const isDay = (text: string): boolean =>
  /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  // `Date` takes 31 February for a day in March.
  new Date(text).toISOString().startsWith(text);

interface Rule {
  least: number;
  most: number;
  type: (checker: Checker, call: Call) => ResultType;
}

/** Takes values of the types, and gives a value of one. */
const taking = (least: number, most: number, given: ResultType, ...types: readonly ResultType[]): Rule => ({
  least,
  most,
  type: (checker, { parts }) => {
    checker.all(parts, ...types);
    return given;
  },
});

const calculating = taking(2, 2, 'number', 'number');
const joining = taking(2, 2, 'truth', 'truth');

const comparing = (...types: readonly ResultType[]): Rule => ({
  least: 2,
  most: 2,
  type: (checker, { parts }) => {
    checker.same(parts, ...types);
    return 'truth';
  },
});
const ordering = comparing('number', 'date');
const equating = comparing(...plain);

/** Gives one of its values, which are of one type. */
const choosing = (least: number, ...types: readonly ResultType[]): Rule => ({
  least,
  most: Infinity,
  type: (checker, { parts }) => checker.same(parts, ...types),
});

const operations: Readonly<Record<Operation, Rule>> = {
  or: joining,
  and: joining,
  not: taking(1, 1, 'truth', 'truth'),
  '=': equating,
  '!=': equating,
  '<': ordering,
  '<=': ordering,
  '>': ordering,
  '>=': ordering,
  '+': calculating,
  '-': calculating,
  '*': calculating,
  '/': calculating,
  '%': calculating,
  negative: taking(1, 1, 'number', 'number'),
  if: {
    least: 2,
    most: 3,
    type: (checker, { parts: [condition, ...outcomes] }) => {
      if (condition) checker.all([condition], 'truth');
      return checker.same(outcomes, ...plain);
    },
  },
  sum: taking(1, Infinity, 'number', 'number'),
  min: choosing(1, 'number', 'date'),
  max: choosing(1, 'number', 'date'),
  round: taking(1, 2, 'number', 'number'),
  floor: taking(1, 1, 'number', 'number'),
  ceil: taking(1, 1, 'number', 'number'),
  abs: taking(1, 1, 'number', 'number'),
  count: {
    least: 1,
    most: Infinity,
    type: (checker, { parts }) => {
      checker.counted(parts);
      return 'number';
    },
  },
  coalesce: choosing(1, ...plain),
  concat: taking(1, Infinity, 'text', 'text', 'number', 'date'),
  days_between: taking(2, 2, 'number', 'date'),
  today: taking(0, 0, 'date'),
  selected: { least: 2, most: 2, type: (checker, call) => checker.selected(call) },
  label: { least: 1, most: 1, type: (checker, call) => checker.label(call) },
};
