import { readDateTime, type AnswerFilter } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { answeredTerm, comparable, equalTerm, maxEqualLength } from './terms';
import { soughtIn, type Sought } from './words';

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
  /** Whether a term stands for all words with this beginning. */
  hasBeginnings: boolean;
  /** A tsquery without negations: what it must not have. */
  lacking: string | undefined;
  ranges: readonly Range[];
  statuses: readonly string[] | undefined;
  assignee: string | undefined;
  /** ISO 8601; included. */
  from: string | undefined;
  /** Not included. */
  to: string | undefined;
  /** Included; submissions that arrived or changed. Only for their order by that time. */
  changedSince: string | undefined;
  /** Also in the trash and among spam. Only for searches by terms, in the order of arrival. */
  isAnywhere?: boolean;
}

/** Stands where the index has the number of a section. No term contains it. */
export const sectionMark = '\u0001';

const maxWords = 20;
/** The shortest beginning of a word that can be sought: shorter ones have too many words. */
const minPrefixLength = 2;

/** The conditions on answers, as the index is asked. @throws Problem `bad_request` that names the parameter. */
export function readConditions(
  q: string | undefined,
  filters: readonly AnswerFilter[],
): Pick<Filter, 'terms' | 'hasBeginnings' | 'lacking' | 'ranges'> {
  const words = q === undefined ? [] : wordsIn(q);
  const has = words.map(termOf);
  const lacks: string[] = [];
  const ranges = new Map<string, Range>();
  for (const { key, comparison, values } of filters) {
    const name = parameterOf({ key, comparison });
    switch (comparison) {
      case 'eq':
        has.push(`(${values.map((value) => placed(equal(name, key, value))).join(' | ')})`);
        break;
      case 'ne':
        lacks.push(...values.map((value) => quoted(equal(name, key, value))));
        break;
      case 'answered':
        if (isYes(name, values)) has.push(placed(answeredTerm(key)));
        else lacks.push(quoted(answeredTerm(key)));
        break;
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        narrow(ranges, key, comparison, bound(name, values));
    }
  }
  return {
    terms: has.length === 0 ? undefined : has.join(' & '),
    hasBeginnings: words.some(({ isPrefix }) => isPrefix),
    lacking: lacks.length === 0 ? undefined : lacks.join(' | '),
    ranges: [...ranges.values()],
  };
}

/** The entries with the words of one of several spellings: any of the lists, all parts of it, any word of each part. */
export const termsOfAny = (spellings: readonly (readonly (readonly Sought[])[])[]): Pick<Filter, 'terms' | 'hasBeginnings'> => ({
  terms: spellings.map((parts) => `(${parts.map((words) => `(${words.map(termOf).join(' | ')})`).join(' & ')})`).join(' | '),
  hasBeginnings: spellings.flat(2).some(({ isPrefix }) => isPrefix),
});

export const parameterOf = ({ key, comparison }: Pick<AnswerFilter, 'key' | 'comparison'>): string =>
  comparison === 'eq' ? `filter[${key}]` : `filter[${key}][${comparison}]`;

function wordsIn(q: string): Sought[] {
  const sought = soughtIn(q);
  if (sought.length === 0) throw Problem.badRequest('q: must have a letter or a digit');
  if (sought.length > maxWords) throw Problem.badRequest(`q: must have at most ${maxWords} words`);
  const short = sought.find(({ word, isPrefix }) => isPrefix && /^[\p{L}\p{N}]$/u.test(word) && !/\p{Lo}/u.test(word));
  if (short) throw Problem.badRequest(`q: ${short.word}* must have at least ${minPrefixLength} letters before the *`);
  return sought;
}

const termOf = ({ word, isPrefix }: Sought): string => `${placed(word)}${isPrefix ? ':*' : ''}`;

const placed = (term: string): string => quoted(`${sectionMark}${term}`);

/** A term in a tsquery. It goes to the database as a parameter; this keeps it from being read as more than a term. */
const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

function equal(name: string, key: string, value: string): string {
  const term = equalTerm(key, value);
  if (term === undefined) throw Problem.badRequest(`${name}: must have at most ${maxEqualLength} characters`);
  return term;
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
