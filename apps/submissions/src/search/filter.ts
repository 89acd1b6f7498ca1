import {
  folded,
  isFilterFact,
  isShort,
  readDateTime,
  relativeDaysFault,
  saysIn,
  soughtIn,
  submissionAreas,
  wordsOf,
  type AnswerFilter,
  type AnswerKind,
  type FilterFact,
  type Sought,
  type SoughtWord,
  type SubmissionArea,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Calendar } from './calendar';
import { answeredTerm, comparable, equalTerm, maxEqualLength } from './terms';

/** An option of a form, and a label that people see for it. */
export interface OptionLabel {
  key: string;
  value: string;
  label: string;
}

/** A label that people may look for, and the fields that have it. */
export interface SoughtLabel extends Omit<OptionLabel, 'key'> {
  keys: readonly string[];
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
  /** Of each of these, one must be met. */
  anyOf?: readonly (readonly Test[])[];
  /** The areas in which submissions are sought; the list without it. */
  areas?: readonly SubmissionArea[] | undefined;
}

/** One of several possibilities, or a condition on a column that no index of a list begins with. */
export type Test =
  /** The entry has it, as in `terms` of a filter, or lacks it, as in `lacking`. */
  | { by: 'terms' | 'lacking'; terms: string }
  | { by: 'range'; range: Range }
  | { by: 'text'; text: TextCondition }
  /** The version of the form that it answers, or the language in which it was filled in. */
  | { by: 'version' | 'language'; values: readonly string[]; isNegated: boolean }
  | { by: 'arrival'; span: Span };

/** From one moment until before another one, in ISO 8601. */
export interface Span {
  from: string;
  to: string;
}

/** The facts of the form on which conditions may depend. */
export interface Known {
  labels?: readonly SoughtLabel[];
  kinds?: ReadonlyMap<string, AnswerKind | undefined>;
  fileKeys?: readonly string[];
  calendar?: Calendar;
}

/** No condition at all. */
export const everything = (formId: string): Filter => ({
  formId,
  terms: undefined,
  indexed: [],
  phrases: [],
  texts: [],
  lacking: undefined,
  ranges: [],
  statuses: undefined,
  assignee: undefined,
  from: undefined,
  to: undefined,
  changedSince: undefined,
  areas: submissionAreas,
});

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

type Readable = Pick<Filter, 'terms' | 'indexed' | 'phrases' | 'texts' | 'lacking' | 'ranges' | 'anyOf' | 'areas'> & {
  /** When a submission must have arrived. */
  span?: Span;
};

/**
 * The conditions on answers, as the index is asked.
 * @throws Problem `bad_request` that names the parameter
 */
export function readConditions(q: string | undefined, filters: readonly AnswerFilter[], known: Known = {}): Readable {
  const sought = q === undefined ? [] : withOptions(soughtWords(q), known.labels ?? []);
  const conditions = conditionsOf(filters, known);
  const { has, lacks, texts, ranges, span, anyOf } = sorted(isAnyEnough(filters) ? [conditions.flat()] : conditions);
  const areas = areasOf(filters);
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
    ranges,
    ...(anyOf.length > 0 && { anyOf }),
    ...(areas && { areas }),
    ...(span && { span }),
  };
}

/** Each condition as tests, one of which must be met. The bounds of a field are one condition. */
function conditionsOf(filters: readonly AnswerFilter[], known: Known): Test[][] {
  const bounds = new Map<string, Range>();
  const others = filters.flatMap((filter): Test[][] => {
    const { key, comparison, values } = filter;
    const name = parameterOf(filter);
    if (isFilterFact(key)) return key === '_in' || key === '_match' ? [] : [factTests(key, filter, known)];
    switch (comparison) {
      case 'eq':
        return [[{ by: 'terms', terms: oneOf(values.map((value) => placed(equal(name, key, value)))) }]];
      case 'ne':
        return [[{ by: 'lacking', terms: values.map((value) => quoted(equal(name, key, value))).join(' | ') }]];
      case 'contains':
      case 'starts_with':
        return [[{ by: 'text', text: { key, comparison, values: values.map((value) => soughtPart(name, value)) } }]];
      case 'answered':
      case 'empty':
        return [[answeredTest(key, isYes(name, values) === (comparison === 'answered'))]];
      case 'within':
        return [values.map((value) => ({ by: 'range', range: daysRange(name, key, value, known) }))];
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        narrow(bounds, key, comparison, bound(name, values));
        return [];
    }
  });
  return [...[...bounds.values()].map((range): Test[] => [{ by: 'range', range }]), ...others];
}

const answeredTest = (key: string, isAnswered: boolean): Test =>
  isAnswered ? { by: 'terms', terms: placed(answeredTerm(key)) } : { by: 'lacking', terms: quoted(answeredTerm(key)) };

/** Conditions by how they are asked. One of several possibilities is looked up only if the index has all of them. */
function sorted(conditions: readonly (readonly Test[])[]) {
  const has: string[] = [];
  const lacks: string[] = [];
  const texts: TextCondition[] = [];
  const ranges: Range[] = [];
  const anyOf: (readonly Test[])[] = [];
  let span: Span | undefined;
  for (const tests of conditions) {
    const [test, ...others] = tests;
    const terms = tests.flatMap((each) => (each.by === 'terms' ? each.terms : []));
    if (!test) continue;
    if (terms.length === tests.length) has.push(oneOf(terms));
    else if (others.length > 0) anyOf.push(tests);
    else if (test.by === 'lacking') lacks.push(test.terms);
    else if (test.by === 'text') texts.push(test.text);
    else if (test.by === 'range') ranges.push(test.range);
    else if (test.by === 'arrival') span = test.span;
    else anyOf.push(tests);
  }
  return { has, lacks, texts, ranges, span, anyOf };
}

const oneOf = (terms: readonly string[]): string => `(${terms.join(' | ')})`;

/** Only what is about answers needs the index. */
export const needsIndex = ({ key }: Pick<AnswerFilter, 'key'>): boolean => key === '_files' || !isFilterFact(key);

const comparisonsOf: Readonly<Record<FilterFact, readonly AnswerFilter['comparison'][]>> = {
  _version: ['eq', 'ne'],
  _language: ['eq', 'ne'],
  _files: ['eq'],
  _created: ['within'],
  _in: ['eq'],
  _match: ['eq'],
};

/** The values of a condition on the submission. None of them has a comma, so several may also stand in one parameter. */
function factValues({ key, comparison, values }: AnswerFilter, fits: (value: string) => boolean, fault: string): string[] {
  const name = parameterOf({ key, comparison });
  const possible = isFilterFact(key) ? comparisonsOf[key] : [];
  if (!possible.includes(comparison))
    throw Problem.badRequest(`${name}: must be given as ${possible.map((each) => parameterOf({ key, comparison: each })).join(' or ')}`);
  const all = [...new Set(values.flatMap((value) => value.split(',')).map((value) => value.trim()))];
  if (!all.every(fits)) throw Problem.badRequest(`${name}: ${fault}`);
  if (all.length > maxFactValues) throw Problem.badRequest(`${name}: must have at most ${maxFactValues} values`);
  return all;
}

/** Each is compared with every submission that is read. */
const maxFactValues = 20;

const maxVersion = 2_147_483_647;

function factTests(key: Exclude<FilterFact, '_in' | '_match'>, filter: AnswerFilter, { fileKeys = [], calendar }: Known): Test[] {
  const isNegated = filter.comparison === 'ne';
  switch (key) {
    case '_version': {
      const isVersion = (value: string) => /^[1-9]\d{0,9}$/.test(value) && Number(value) <= maxVersion;
      return [
        { by: 'version', values: factValues(filter, isVersion, `must be the number of a version, from 1 to ${maxVersion}`), isNegated },
      ];
    }
    case '_language': {
      const isLanguage = (value: string) => value.length <= 35 && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(value);
      const fault = 'must be a language tag of at most 35 characters, such as de or pt-BR, or und if none is known';
      return [{ by: 'language', values: factValues(filter, isLanguage, fault).map((value) => value.toLowerCase()), isNegated }];
    }
    case '_files': {
      const [wanted, ...others] = factValues(filter, (value) => value === 'true' || value === 'false', 'must be true or false');
      if (others.length > 0) throw Problem.badRequest('filter[_files]: must be true or false');
      // No field has the empty key.
      const terms = (fileKeys.length > 0 ? fileKeys : ['']).map(answeredTerm);
      return wanted === 'true'
        ? [{ by: 'terms', terms: oneOf(terms.map(placed)) }]
        : [{ by: 'lacking', terms: terms.map(quoted).join(' | ') }];
    }
    case '_created': {
      const days = factValues(filter, (value) => calendar?.days(value) !== undefined, relativeDaysFault).flatMap(
        (value) => calendar?.days(value) ?? [],
      );
      return days.map(({ from, to }) => ({ by: 'arrival', span: { from: from.toISOString(), to: to.toISOString() } }));
    }
  }
}

export function isAnyEnough(filters: readonly AnswerFilter[]): boolean {
  const match = filters.find(({ key }) => key === '_match');
  if (!match) return false;
  const fault = 'must be all or any';
  const [wanted, ...others] = factValues(match, (value) => value === 'all' || value === 'any', fault);
  if (others.length > 0) throw Problem.badRequest(`filter[_match]: ${fault}`);
  return wanted === 'any';
}

/** The areas in which submissions are sought; undefined for the list. @throws Problem `bad_request` */
export function areasOf(filters: readonly AnswerFilter[]): readonly SubmissionArea[] | undefined {
  const known: readonly string[] = submissionAreas;
  const given = filters
    .filter(({ key }) => key === '_in')
    .flatMap((filter) => factValues(filter, (value) => known.includes(value), `must be one of ${known.join(', ')}`));
  const areas = submissionAreas.filter((area) => given.includes(area));
  return areas.length === 0 || (areas.length === 1 && areas[0] === 'list') ? undefined : areas;
}

/** The days of a date, or the time between the beginning of one day and another in the zone of the form. */
function daysRange(name: string, key: string, value: string, { kinds, calendar }: Known): Range {
  const kind = kinds?.get(key) ?? 'date';
  if (kind !== 'date' && kind !== 'datetime')
    throw Problem.badRequest(`${name}: only dates can be compared so, and the field has other answers`);
  const days = calendar?.days(value);
  if (!days) throw Problem.badRequest(`${name}: ${relativeDaysFault}`);
  const [from, to] = kind === 'date' ? [Date.parse(days.first), Date.parse(days.end)] : [days.from.getTime(), days.to.getTime()];
  return { key, from, to: next(to, -1) };
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

function withOptions(sought: readonly Sought[], labels: readonly SoughtLabel[]): Alternatives[] {
  let left = maxOptions;
  return sought.map(({ words, isQuoted, text }) => {
    const found = labels.filter(({ label }) => (isQuoted ? saysIn(label, text) : hasAll(label, words)));
    const options = eachOnce(found, left);
    left -= options.length;
    return { words, options, phrase: isQuoted && words.length > 1 ? { text, options } : undefined };
  });
}

/** The first of the options, whichever of their names was found: a country has several that are alike. */
function eachOnce(found: readonly SoughtLabel[], most: number): OptionLabel[] {
  const options = new Map<string, OptionLabel>();
  for (const { keys, ...label } of found)
    for (const key of keys) {
      if (options.size >= most) return [...options.values()];
      options.set(`${key} ${label.value}`, { key, ...label });
    }
  return [...options.values()];
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
