import {
  folded,
  isShort,
  readDateTime,
  saysIn,
  soughtIn,
  wordsOf,
  type AnswerFilter,
  type Sought,
  type SoughtWord,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { answeredTerm, comparable, equalTerm, maxEqualLength } from './terms';

/** An option of a form, and a label that people see for it. */
export interface OptionLabel {
  key: string;
  value: string;
  label: string;
}

/** Answers of a field between two numbers; the bounds that are not included are moved by the smallest step. */
export interface Range {
  key: string;
  from: number;
  to: number;
}

export interface Filter {
  formId: string;
  /** A tsquery without negations: what a submission must have. Each of its terms begins with `sectionMark`. */
  terms: string | undefined;
  /**
   * The index is asked for all of these. Very short beginnings are left out, as nearly every submission has a word with them; `terms` has
   * them all the same.
   */
  indexed: readonly IndexedTerm[];
  /** Phrases, which the index cannot tell from their words. */
  phrases: readonly Phrase[];
  /** Parts of texts, which the index does not have. */
  texts: readonly TextCondition[];
  /** A tsquery without negations: what it must not have. */
  lacking: string | undefined;
  ranges: readonly Range[];
  statuses: readonly string[] | undefined;
  assignee: string | undefined;
  /** Only those that nobody takes care of. */
  isUnassigned?: boolean;
  /** Only those whose answer to this field is none that has an order. */
  withoutNumber?: string;
  /** ISO 8601; included. */
  from: string | undefined;
  /** Not included. */
  to: string | undefined;
  /** Included; submissions that arrived or changed. Only for their order by that time. */
  changedSince: string | undefined;
  /** Only these, whose reference was sought. Nothing else of the search text is then sought. */
  ids?: readonly string[] | undefined;
  /** Also in the trash and among spam. Only for searches by terms, in the order of arrival. */
  isAnywhere?: boolean;
}

/** A part of a tsquery. */
export interface IndexedTerm {
  term: string;
  /** Whether it stands for all words with a beginning, which the index looks up one by one. */
  isOpen: boolean;
}

/** Stands where the index has the number of a section. No term contains it. */
export const sectionMark = '\u0001';

/** Words that follow each other in an answer, or the label of a chosen option that has them so. */
export interface Phrase {
  text: string;
  options: readonly OptionLabel[];
}

/** An answer that has one of several texts in it, or at its beginning. */
export interface TextCondition {
  key: string;
  comparison: 'contains' | 'starts_with';
  /** Without case and accents. */
  values: readonly string[];
}

const maxWords = 20;
/** The options that a search text stands for at most: each of them is looked up. */
const maxOptions = 100;
/** A beginning of fewer letters is not looked up beside a longer word; one of fewer than the second never is. */
const shortest = [3, 2];

type Readable = Pick<Filter, 'terms' | 'indexed' | 'phrases' | 'texts' | 'lacking' | 'ranges'>;

/**
 * The conditions on answers, as the index is asked.
 * @param labels of options that are called otherwise in answers
 * @throws Problem `bad_request` that names the parameter
 */
export function readConditions(q: string | undefined, filters: readonly AnswerFilter[], labels: readonly OptionLabel[] = []): Readable {
  const sought = q === undefined ? [] : withOptions(soughtWords(q), labels);
  const has: string[] = [];
  const lacks: string[] = [];
  const ranges = new Map<string, Range>();
  const texts: TextCondition[] = [];
  for (const { key, comparison, values } of filters) {
    const name = parameterOf({ key, comparison });
    switch (comparison) {
      case 'eq':
        has.push(`(${values.map((value) => placed(equal(name, key, value))).join(' | ')})`);
        break;
      case 'ne':
        lacks.push(...values.map((value) => quoted(equal(name, key, value))));
        break;
      case 'contains':
      case 'starts_with':
        texts.push({ key, comparison, values: values.map((value) => soughtPart(name, value)) });
        break;
      case 'answered':
      case 'empty':
        if (isYes(name, values) === (comparison === 'answered')) has.push(placed(answeredTerm(key)));
        else lacks.push(quoted(answeredTerm(key)));
        break;
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        narrow(ranges, key, comparison, bound(name, values));
    }
  }
  const lookedUp = shortest.map((letters) => withoutShort(sought, letters)).find((some) => some.length + has.length > 0) ?? [];
  return {
    terms: allOf([...sought.map(termsOf), ...has]),
    indexed: [
      ...lookedUp.map((each) => ({ term: termsOf(each), isOpen: each.words.some(({ isPrefix }) => isPrefix) })),
      ...has.map((term) => ({ term, isOpen: false })),
    ],
    phrases: sought.flatMap(({ phrase }) => phrase ?? []),
    texts,
    lacking: lacks.length === 0 ? undefined : lacks.join(' | '),
    ranges: [...ranges.values()],
  };
}

/** The same with a further term, and without some others. */
export const narrowed = (filter: Filter, { term, lacking = [] }: { term?: string; lacking?: readonly string[] }): Filter => {
  const has = term === undefined ? [] : [placed(term)];
  return {
    ...filter,
    terms: allOf([...(filter.terms === undefined ? [] : [`(${filter.terms})`]), ...has]),
    indexed: [...filter.indexed, ...has.map((each) => ({ term: each, isOpen: false }))],
    lacking:
      lacking.length === 0
        ? filter.lacking
        : [...(filter.lacking === undefined ? [] : [filter.lacking]), ...lacking.map(quoted)].join(' | '),
  };
};

const allOf = (terms: readonly string[]): string | undefined => (terms.length === 0 ? undefined : terms.join(' & '));

/** The entries with the words of one of several spellings: any of the lists, all parts of it, any word of each part. */
export function termsOfAny(
  spellings: readonly (readonly (readonly SoughtWord[])[])[],
): Pick<Filter, 'terms' | 'indexed' | 'phrases' | 'texts'> {
  const terms = spellings.map((parts) => `(${parts.map((words) => `(${words.map(termOf).join(' | ')})`).join(' & ')})`).join(' | ');
  return { terms, indexed: [{ term: terms, isOpen: spellings.flat(2).some(({ isPrefix }) => isPrefix) }], phrases: [], texts: [] };
}

export const parameterOf = ({ key, comparison }: Pick<AnswerFilter, 'key' | 'comparison'>): string =>
  comparison === 'eq' ? `filter[${key}]` : `filter[${key}][${comparison}]`;

function soughtWords(q: string): Sought[] {
  const sought = soughtIn(q);
  if (sought.length === 0) throw Problem.badRequest('q: must have a letter or a digit');
  if (sought.flatMap(({ words }) => words).length > maxWords) throw Problem.badRequest(`q: must have at most ${maxWords} words`);
  return sought;
}

/** Words, or one of some options in place of all of them. */
interface Alternatives {
  words: readonly SoughtWord[];
  options: readonly OptionLabel[];
  phrase: Phrase | undefined;
}

function withOptions(sought: readonly Sought[], labels: readonly OptionLabel[]): Alternatives[] {
  let left = maxOptions;
  return sought.map(({ words, isQuoted, text }) => {
    const options = labels.filter(({ label }) => (isQuoted ? saysIn(label, text) : hasAll(label, words))).slice(0, left);
    left -= options.length;
    return { words, options, phrase: isQuoted && words.length > 1 ? { text, options } : undefined };
  });
}

function hasAll(label: string, sought: readonly SoughtWord[]): boolean {
  const words = wordsOf(label);
  // A single letter would mean most options of a long list.
  return sought.every((each) =>
    words.some((word) => (each.isPrefix && !isShort(each, 2) ? word.startsWith(each.word) : word === each.word)),
  );
}

/** Without beginnings of fewer letters, and what has nothing else. */
const withoutShort = (sought: readonly Alternatives[], letters: number): Alternatives[] =>
  sought.map((each) => ({ ...each, words: each.words.filter((word) => !isShort(word, letters)) })).filter(({ words }) => words.length > 0);

function termsOf({ words, options }: Alternatives): string {
  const all = words.map(termOf).join(' & ');
  const any = options.flatMap(({ key, value }) => equalTerm(key, value) ?? []).map(placed);
  return any.length === 0 ? all : `(${[`(${all})`, ...any].join(' | ')})`;
}

const termOf = ({ word, isPrefix }: SoughtWord): string => `${placed(word)}${isPrefix ? ':*' : ''}`;

const placed = (term: string): string => quoted(`${sectionMark}${term}`);

/** A term in a tsquery. It goes to the database as a parameter; this keeps it from being read as more than a term. */
const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

function equal(name: string, key: string, value: string): string {
  const term = equalTerm(key, value);
  if (term === undefined) throw Problem.badRequest(`${name}: must have at most ${maxEqualLength} characters`);
  return term;
}

function soughtPart(name: string, value: string): string {
  const part = folded(value.trim());
  if (part === '') throw Problem.badRequest(`${name}: must have at least one character`);
  return part;
}

function isYes(name: string, [value, ...others]: readonly string[]): boolean {
  if (others.length > 0 || (value !== 'true' && value !== 'false')) throw Problem.badRequest(`${name}: must be true or false`);
  return value === 'true';
}

function bound(name: string, [value = '', ...others]: readonly string[]): number {
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(value) ? Number(value) : comparable(readDateTime(value) ?? value);
  if (others.length > 0 || number === undefined || !Number.isFinite(number))
    throw Problem.badRequest(`${name}: must be a number, a date, a time, or a date-time such as 2026-05-31T14:30:00Z`);
  return number;
}

function narrow(ranges: Map<string, Range>, key: string, comparison: 'gt' | 'gte' | 'lt' | 'lte', number: number): void {
  const { from, to } = ranges.get(key) ?? { from: -Number.MAX_VALUE, to: Number.MAX_VALUE };
  const [low, high] = {
    gt: [next(number, 1), to],
    gte: [number, to],
    lt: [from, next(number, -1)],
    lte: [from, number],
  }[comparison] as [number, number];
  ranges.set(key, { key, from: Math.max(from, low), to: Math.min(to, high) });
}

/** The next number above (1) or below (-1) that has a representation. */
function next(number: number, step: 1 | -1): number {
  if (number === 0) return step * Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(number > 0 ? step : -step));
  return view.getFloat64(0);
}
