import { folded, saysIn } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import type { Filter, Phrase, TextCondition } from './filter';
import { rowsInOrder } from './found.queries';
import type { Place } from './slice';
import { maxTextLength } from './terms';

/** Bytes of answers that are in memory at a time. */
const maxBytes = 1_048_576;

/** Whether the answers must be read, because the index cannot tell. */
export const readsAnswers = ({ phrases, texts }: Pick<Filter, 'phrases' | 'texts'>): boolean => phrases.length > 0 || texts.length > 0;

/**
 * Those of the submissions that have each phrase in an answer, of which the index knows only that they have its words, and each part of a text.
 * @param onRead called with the length of the answers that were read
 */
export async function withAnswers<P extends Place>(
  db: Database,
  { formId, phrases, texts }: Pick<Filter, 'formId' | 'phrases' | 'texts'>,
  places: readonly P[],
  onRead: (length: number) => void = () => undefined,
): Promise<P[]> {
  if (!readsAnswers({ phrases, texts })) return [...places];
  const saying = new Set<string>();
  for (let remaining = places.map(({ id }) => id); remaining.length > 0;) {
    const rows = (await rowsInOrder(db, formId, remaining, maxBytes)).flatMap(({ id, data }) => (data === null ? [] : { id, data }));
    for (const { id, data } of rows) {
      onRead(data.length);
      const answers = JSON.parse(data) as Record<string, unknown>;
      if (texts.every((text) => hasText(answers, text)) && saysAll(answers, phrases)) saying.add(id);
    }
    const last = rows.at(-1);
    // The rest has been erased meanwhile.
    if (!last) break;
    remaining = remaining.slice(remaining.indexOf(last.id) + 1);
  }
  return places.filter(({ id }) => saying.has(id));
}

function hasText(answers: Readonly<Record<string, unknown>>, { key, comparison, values }: TextCondition): boolean {
  const parts = [answers[key]].flat().flatMap((part) => (typeof part === 'string' ? folded(part) : []));
  return parts.some((part) => values.some((value) => (comparison === 'contains' ? part.includes(value) : part.startsWith(value))));
}

function saysAll(answers: Readonly<Record<string, unknown>>, phrases: readonly Phrase[]): boolean {
  if (phrases.length === 0) return true;
  const parts = Object.values(answers)
    .flat()
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => String(part).slice(0, maxTextLength));
  const isChosen = ({ key, value }: Phrase['options'][number]) => [answers[key]].flat().includes(value);
  return phrases.every(({ text, options }) => parts.some((part) => saysIn(part, text)) || options.some(isChosen));
}
