import {
  answerTraits,
  answerTraitsOf,
  cellText,
  chosenIn,
  fieldsOf,
  isRanked,
  itemsIn,
  maxRanks,
  type AnswerKind,
  type Field,
} from '@sheaf/contracts';
import { rangeOf, restOf } from './counted-range';
import { hiddenFields, questionsIn, type Questions } from './questions';

/** The keys of the fields whose answers are counted by value. Of all others, only whether they were answered is. */
export interface CountedKeys extends WaysOfCounting {
  /** Undefined if an earlier release stored the version. */
  questions: Questions | undefined;
}

interface WaysOfCounting {
  options: ReadonlySet<string>;
  wholeNumbers: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Those whose options are counted by their ranks. */
  rankings: ReadonlySet<string>;
  /** Those whose columns are counted by their rows. */
  matrices: ReadonlySet<string>;
}

/** Whether submissions are found by an option that they chose. */
export const isCountedByOption = (kind: AnswerKind): boolean => answerTraits(kind).countedAs === 'options';

/** @param fields the fields of a version, as JSON */
export function countedKeys(fields: Buffer): CountedKeys & { questions: Questions } {
  const items = itemsIn(fields.toString());
  const all = fieldsOf(items);
  const keysOf = (way: keyof WaysOfCounting) => new Set(all.flatMap((field) => (wayOf(field) === way ? [field.key] : [])));
  return {
    options: keysOf('options'),
    wholeNumbers: keysOf('wholeNumbers'),
    numbers: keysOf('numbers'),
    rankings: keysOf('rankings'),
    matrices: keysOf('matrices'),
    questions: questionsIn(items),
  };
}

const wayOf = (field: Field): keyof WaysOfCounting | undefined => (isRanked(field) ? 'rankings' : answerTraitsOf(field).countedAs);

/** A listed submission as it is counted. */
export interface Countable {
  status: string;
  /** The quarter of an hour in which it arrived, counted from 1970 on. */
  quarter: number;
  /** The id of its version, or its number if it has none. */
  version: string;
  answers: Readonly<Record<string, unknown>>;
}

/**
 * The counters of a submission, each as its kind, key and item: `s=new`, `q=1980000`, `ocolour=red`, `wage=36e0`, `aname=`,
 * `rcities=2 rome` for the second rank, and for a row of a matrix `mlooks=["front","good"]`, with `x` for a further column of the same row.
 * A field that is counted by value has no `a`, which `withAnswered` adds; a ranking and a matrix have one, as an earlier release, which takes back
 * what was counted, does not know their kinds. The digits of a number that its range leaves out are counted one by one, for exact sums
 * (`dwage=5e-1`). The version (`v=3`) and the fields that the answers hid (`hname=`) tell who was asked.
 * @param keys undefined as long as the fields of its version are unknown; its answers are not counted then
 */
export function countersOf({ status, quarter, version, answers }: Countable, keys: CountedKeys | undefined): string[] {
  const counters = new Set([`s=${status}`, `q=${quarter}`, ...countersOfAsked(version, answers, keys?.questions)]);
  if (!keys) return [...counters];
  for (const [key, answer] of Object.entries(answers)) {
    const items = itemsOf(key, answer, keys);
    if (items.length === 0 || keys.rankings.has(key) || keys.matrices.has(key)) counters.add(`a${key}=`);
    for (const item of items) counters.add(item);
  }
  return [...counters];
}

/**
 * With `v=` alone, nothing is known about the questions, and with `v=later`, a later release alone can tell which of them were hidden. A submission without
 * any `v` was counted by an earlier release, and will be counted again.
 */
function countersOfAsked(version: string, answers: Countable['answers'], questions: Questions | undefined): string[] {
  if (!questions) return ['v='];
  const hidden = hiddenFields(questions, answers);
  return hidden ? [`v=${version}`, ...hidden.map((key) => `h${key}=`)] : ['v=later'];
}

function itemsOf(key: string, answer: unknown, { options, wholeNumbers, numbers, rankings, matrices }: CountedKeys): string[] {
  if (matrices.has(key)) return cellsOf(key, answer);
  if (rankings.has(key))
    return Array.isArray(answer) ? answer.map((option, index) => `r${key}=${rankItem(index + 1, String(option))}`) : [];
  if (options.has(key)) return (Array.isArray(answer) ? answer : [answer]).map((option) => `o${key}=${String(option)}`);
  if (typeof answer !== 'number') return [];
  const way = wholeNumbers.has(key) ? 'w' : numbers.has(key) ? 'n' : undefined;
  return way ? [`${way}${key}=${rangeOf(answer)}`, ...restOf(answer).map((digit) => `d${key}=${digit}`)] : [];
}

/** The first column of a row tells that the row was answered. */
const cellsOf = (key: string, answer: unknown): string[] =>
  Object.keys(Object(answer) as object).flatMap((row) =>
    chosenIn(answer, row).map((column, index) => `${index === 0 ? 'm' : 'x'}${key}=${cellText(row, column)}`),
  );

/** The counters of whoever chose an option: as one of several, or on any rank. */
export const countersOfChoice = (key: string, option: string): string[] => [
  `o${key}=${option}`,
  ...Array.from({ length: maxRanks }, (_, index) => `r${key}=${rankItem(index + 1, option)}`),
];

/** An option on a rank, as one item. */
const rankItem = (rank: number, option: string): string => `${rank} ${option}`;

export function rankIn(item: string): { rank: number; value: string } {
  const space = item.indexOf(' ');
  return { rank: Number(item.slice(0, space)), value: item.slice(space + 1) };
}

export interface Counter {
  kind: string;
  key: string;
  item: string;
}

export function partsOf(counter: string): Counter {
  const equals = counter.indexOf('=');
  return { kind: counter.slice(0, 1), key: counter.slice(1, equals), item: counter.slice(equals + 1) };
}

/** Without the ranks of an option and the cells of a matrix, whose fields have an `a` of their own. */
const isCountedByValue = (kind: string): boolean => kind === 'o' || kind === 'w' || kind === 'n';

/** Whether a counter tells that its field was answered, as exactly one of a submission does if its further options are left out. */
export const saysAnswered = (kind: string): boolean => kind === 'a' || isCountedByValue(kind);

/** The counters of a submission, with that of each answered field. */
export function withAnswered(counters: readonly string[]): string[] {
  const byValue = counters.map(partsOf).filter(({ kind }) => isCountedByValue(kind));
  return [...counters, ...new Set(byValue.map(({ key }) => `a${key}=`))];
}
