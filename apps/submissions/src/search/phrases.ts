import { saysIn } from '@sheaf/contracts';
import type { Database } from '@sheaf/postgres';
import type { Filter, Phrase } from './filter';
import { rowsInOrder } from './found.queries';
import type { Place } from './slice';
import { maxTextLength } from './terms';

/** Bytes of answers that are in memory at a time. */
const maxBytes = 1_048_576;

/** Those of the submissions that have each phrase in an answer. The index knows only that they have its words. */
export async function withPhrases<P extends Place>(
  db: Database,
  { formId, phrases }: Pick<Filter, 'formId' | 'phrases'>,
  places: readonly P[],
): Promise<P[]> {
  if (phrases.length === 0) return [...places];
  const saying = new Set<string>();
  for (let remaining = places.map(({ id }) => id); remaining.length > 0;) {
    const rows = (await rowsInOrder(db, formId, remaining, maxBytes)).flatMap(({ id, data }) => (data === null ? [] : { id, data }));
    for (const { id, data } of rows) if (saysAll(JSON.parse(data) as Record<string, unknown>, phrases)) saying.add(id);
    const last = rows.at(-1);
    // The rest has been erased meanwhile.
    if (!last) break;
    remaining = remaining.slice(remaining.indexOf(last.id) + 1);
  }
  return places.filter(({ id }) => saying.has(id));
}

function saysAll(answers: Readonly<Record<string, unknown>>, phrases: readonly Phrase[]): boolean {
  const parts = Object.values(answers)
    .flat()
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => String(part).slice(0, maxTextLength));
  const isChosen = ({ key, value }: Phrase['options'][number]) => [answers[key]].flat().includes(value);
  return phrases.every(({ text, options }) => parts.some((part) => saysIn(part, text)) || options.some(isChosen));
}
