import { addressParts, comparedPart, folded, partIn, wordsOf, type PartName } from '@sheaf/contracts';
import { isId } from '@sheaf/kernel';

// The terms under which the index finds a submission. A word is a term as it is; other terms begin with a character that no word has.

/** Answers of any version of a form. */
type Answers = Readonly<Record<string, unknown>>;

/** A submission as it is searched. */
export interface Entry {
  /** Its words, `=key=answer` for short answers and `?key` for every answer. */
  terms: string[];
  /** Answers that have an order, and the fields that they belong to, in the same order. */
  keys: string[];
  numbers: number[];
}

/** The bytes of a submission's terms; what follows is not found. Long enough for some 4,000 words. */
export const maxTermBytes = 32_768;
/** Of these, the bytes of those by which labels find the answers in the items of repeats. */
export const maxItemTermBytes = 8_192;
/** The longest answer, folded, that a filter compares. */
export const maxEqualLength = 100;
const maxNumbers = 64;

/** The characters of a submission in which words are looked for: more would keep the process from its other work. */
export const maxTextLength = 65_536;

export function entryOf(answers: Answers): Entry {
  const terms = new Set<string>();
  const ofItems = new Set<string>();
  const keys: string[] = [];
  const numbers: number[] = [];
  for (const [key, answer] of Object.entries(answers)) {
    terms.add(answeredTerm(key));
    const compared = comparedIn(answer);
    for (const part of Array.isArray(compared) ? compared : [compared]) {
      const equal = equalTerm(key, part);
      if (equal !== undefined) (hasItems(answer) ? ofItems : terms).add(equal);
    }
    const inCountry = equalTerm(partKey(key, 'country'), partIn(answer, 'country'));
    if (inCountry !== undefined) terms.add(inCountry);
    if (partIn(answer, 'file_id') !== undefined) terms.add(answeredTerm(partKey(key, 'file_id')));
    const number = comparable(compared);
    if (number !== undefined && numbers.length < maxNumbers) {
      keys.push(key);
      numbers.push(number);
    }
  }
  // After the filters, which neither many items nor a long text must displace.
  for (const term of upTo(maxItemTermBytes, ofItems)) terms.add(term);
  for (const word of wordsOf(texts(answers).slice(0, maxTextLength))) terms.add(word);
  return { terms: upTo(maxTermBytes, terms), keys, numbers };
}

/** The values that filters and orders compare, and by which labels of options find them: of a date range its first day, of a matrix its columns. */
function comparedIn(answer: unknown): unknown {
  // Of a repeat, those in all of its items.
  if (!hasParts(answer)) return Array.isArray(answer) ? valuesOf(answer) : answer;
  const first = answer[comparedPart];
  if (comparable(first) !== undefined) return first;
  // No version is at hand. An answer with parts of an address alone is one, and its texts are no options.
  const isAddress = Object.entries(answer).every(([name, part]) => ofAddress.has(name) && typeof part === 'string');
  return isAddress ? undefined : valuesOf(answer);
}

/** Whether it is an answer to a repeat. */
const hasItems = (answer: unknown): boolean => Array.isArray(answer) && answer.some(hasParts);

const ofAddress: ReadonlySet<string> = new Set(addressParts);

const hasParts = (answer: unknown): answer is Answers => typeof answer === 'object' && answer !== null && !Array.isArray(answer);

/** Each by itself: options and files, the parts of an answer that has some, the columns of a matrix, and the answers in the items of a repeat. */
export const valuesOf = (answer: unknown): unknown[] =>
  Array.isArray(answer) ? answer.flatMap(valuesOf) : hasParts(answer) ? Object.values(answer).flatMap(valuesOf) : [answer];

/** The key under which a part of an answer is found as an answer is under that of its field. No field has such a key. */
export const partKey = (key: string, part: PartName): string => `${key}.${part}`;

/** The answer, or the part of one, that searches find under the key. */
export function answerAt(answers: Answers, key: string): unknown {
  const [field = '', part] = key.split('.');
  return part === undefined ? answers[field] : partIn(answers[field], part);
}

export const answeredTerm = (key: string): string => `?${key}`;

/** White space, and characters that separate terms. */
const blank = /[\s\p{Cc}]+/gu;

/** The term for an answer, or for what a filter gives; undefined if it is too long to be compared. */
export function equalTerm(key: string, answer: unknown): string | undefined {
  if (typeof answer !== 'string' && typeof answer !== 'number' && typeof answer !== 'boolean') return undefined;
  const text = folded(String(answer)).replace(blank, ' ').trim();
  return text.length > maxEqualLength ? undefined : `=${key}=${text}`;
}

/**
 * An answer as a number that has its order: a number, the milliseconds of a date or instant since 1970, the milliseconds of a time since
 * midnight. A local date-time counts as UTC. Undefined if it has no order.
 */
export function comparable(answer: unknown): number | undefined {
  if (typeof answer === 'number') return answer;
  if (typeof answer !== 'string' || answer.length > 40 || !/^\d\d[\d:]/.test(answer)) return undefined;
  const time = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(answer);
  if (time) return 1_000 * (3_600 * Number(time[1]) + 60 * Number(time[2]) + Number(time[3] ?? 0));
  if (!/^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/.test(answer)) return undefined;
  const isLocal = answer.length > 10 && !/(?:[Zz]|[+-]\d\d:\d\d)$/.test(answer);
  const at = Date.parse(isLocal ? `${answer}Z` : answer);
  return Number.isNaN(at) ? undefined : at;
}

/** Of a signature the name alone, as `typed` and `drawn` are words of ours. A matrix may have a row `kind` and a column `typed`, but not with a name or a picture beside it. */
function spokenIn(answer: unknown): unknown[] {
  if (!hasParts(answer) || Object.keys(answer).length !== 2) return valuesOf(answer);
  const [kind, name, id] = [partIn(answer, 'kind'), partIn(answer, 'name'), partIn(answer, 'file_id')];
  if (kind === 'typed' && typeof name === 'string') return [name];
  return kind === 'drawn' && typeof id === 'string' && isId(id) ? [] : valuesOf(answer);
}

/** All answers in words. The id of a file is nobody's word. */
const texts = (answers: Answers): string =>
  Object.values(answers)
    .flatMap(spokenIn)
    .filter((part) => (typeof part === 'string' && !isId(part)) || typeof part === 'number')
    .join('\n');

function upTo(maxBytes: number, terms: Iterable<string>): string[] {
  const fitting: string[] = [];
  let bytes = 0;
  for (const term of terms) {
    bytes += Buffer.byteLength(term);
    if (bytes > maxBytes) break;
    fitting.push(term);
  }
  return fitting;
}
