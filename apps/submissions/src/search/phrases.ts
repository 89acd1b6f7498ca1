import { folded, saysIn } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import { everything, type Filter, type Phrase, type Test, type TextCondition } from './filter';
import { isDecided } from './find-clauses';
import { partsInOrder, rowsInOrder } from './found.queries';
import { fromIds } from './named.queries';
import type { Place } from './slice';
import { answerAt, maxTextLength, valuesOf } from './terms';

/** Bytes of answers that are in memory at a time. */
const maxBytes = 1_048_576;

/** So many bytes that PostgreSQL only looks through count as one that is read here. */
const cheaper = 8;

/** The lists of tests of which the index does not tell whether one is met. */
const undecidedOf = ({ anyOf = [] }: Pick<Filter, 'anyOf'>) => anyOf.filter((tests) => !isDecided(tests));

/** Whether the answers must be read, because the index cannot tell. */
export const readsAnswers = ({ phrases, texts, anyOf }: Pick<Filter, 'phrases' | 'texts' | 'anyOf'>): boolean =>
  phrases.length > 0 || texts.length > 0 || undecidedOf({ anyOf }).length > 0;

const textsOf = (tests: readonly Test[]): TextCondition[] => tests.flatMap((test) => (test.by === 'text' ? test.text : []));

/**
 * Those of the submissions that have each phrase in an answer, of which the index knows only that they have its words, and each part of a text.
 * @param onRead called with the length of the answers that were read
 */
export async function withAnswers<P extends Place>(
  db: Database,
  filter: Filter,
  places: readonly P[],
  onRead: (length: number) => void = () => undefined,
): Promise<P[]> {
  const { formId, phrases, texts } = filter;
  if (!readsAnswers(filter)) return [...places];
  const alternatives = await Promise.all(
    undecidedOf(filter).map(async (tests) => ({ texts: textsOf(tests), met: await meeting(db, filter, tests, places) })),
  );
  const saying = new Set<string>();
  const keys = [...new Set([...texts, ...alternatives.flatMap((each) => each.texts)].map(({ key }) => key))];
  // A phrase may be in any answer; parts of texts are in the answers to their fields.
  const readSome = (ids: readonly string[]) =>
    phrases.length > 0 ? rowsInOrder(db, formId, ids, maxBytes) : partsInOrder(db, formId, ids, { keys, maxBytes });
  for (let remaining = places.map(({ id }) => id); remaining.length > 0;) {
    const rows = (await readSome(remaining)).flatMap((row) => (row.data === null ? [] : { ...row, data: row.data }));
    for (const { id, data, ...row } of rows) {
      onRead(data.length + ('read' in row ? row.read / cheaper : 0));
      const answers = JSON.parse(data) as Record<string, unknown>;
      const isMet = alternatives.every(({ texts: any, met }) => met.has(id) || any.some((text) => hasText(answers, text)));
      if (isMet && texts.every((text) => hasText(answers, text)) && saysAll(answers, phrases)) saying.add(id);
    }
    const last = rows.at(-1);
    // The rest has been erased meanwhile.
    if (!last) break;
    remaining = remaining.slice(remaining.indexOf(last.id) + 1);
  }
  return places.filter(({ id }) => saying.has(id));
}

/** Those of the submissions that meet one of the tests of which the index tells. */
async function meeting(db: Database, { formId }: Filter, tests: readonly Test[], places: readonly Place[]): Promise<ReadonlySet<string>> {
  const decided = tests.filter((test) => isDecided([test]));
  if (decided.length === 0 || places.length === 0) return new Set();
  const filter = { ...everything(formId), anyOf: [decided], ids: places.map(({ id }) => id) };
  return new Set((await fromIds(db, filter)).map(({ id }) => id));
}

function hasText(answers: Readonly<Record<string, unknown>>, { key, comparison, values }: TextCondition): boolean {
  const parts = [answers[key]].flat().flatMap((part) => (typeof part === 'string' ? folded(part) : []));
  return parts.some((part) => values.some((value) => (comparison === 'contains' ? part.includes(value) : part.startsWith(value))));
}

function saysAll(answers: Readonly<Record<string, unknown>>, phrases: readonly Phrase[]): boolean {
  if (phrases.length === 0) return true;
  const parts = Object.values(answers)
    .flatMap(valuesOf)
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => String(part).slice(0, maxTextLength));
  const isChosen = ({ key, value }: Phrase['options'][number]) => valuesOf(answerAt(answers, key)).includes(value);
  return phrases.every(({ text, options }) => parts.some((part) => saysIn(part, text)) || options.some(isChosen));
}
