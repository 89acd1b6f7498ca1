import { submissionStatuses } from '@sheaf/contracts';
import { isId, Problem } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { FieldOrder } from '../form/forms-view';
import { narrowed, type Filter } from './filter';
import { inTime, pageFrom, type Found } from './find-places';
import { assigneesOf, endOfNumbers, fromNumbers } from './find.queries';
import type { NumberPlace, Place, Slice, TextPlace } from './slice';
import { endOfKeys, endWithoutKeys, fromKeys, orderLanguageOf, withoutKeys, type SortColumn } from './sort-keys.queries';
import { answeredTerm, equalTerm } from './terms';

// Most orders need no index of their own: they are a few lists one after another, each in the order of arrival. See
// docs/decisions/0062-sorting-by-any-column.md.

/** A part of a list in some order. */
export type Part =
  /** Submissions that meet further conditions, in the order of arrival. */
  | { name: string; holds: 'some'; filter: () => Filter }
  | { name: 'numbers'; holds: 'numbers'; key: string }
  | { name: 'texts' | 'empty'; holds: 'texts' | 'no texts'; column: SortColumn };

/** A place in a list of several parts: the beginning of a part, or a place in it. */
export interface PartPlace extends Partial<Place> {
  part: string;
  number?: number | undefined;
  value?: string | undefined;
}

export interface FoundInParts {
  places: (Place & PartPlace)[];
  next: PartPlace | undefined;
}

/** Parts that a request reads: each may be empty, and be asked for in vain. */
const partsOfRequest = 24;

/** The column whose keys have the order of a field, if it takes keys. */
export function columnOf(key: string, { kind, isNumeric, language }: FieldOrder): SortColumn | undefined {
  if (isNumeric || kind === 'option' || kind === 'options' || kind === 'boolean') return undefined;
  return kind === 'file' ? { key, language: 'und', isCounted: true } : { key, language: orderLanguageOf(language), isCounted: false };
}

/** The parts of a list that is sorted by a field: those without an answer are the last one in both directions. */
export function partsByField(filter: Filter, key: string, order: FieldOrder, direction: Slice['direction']): Part[] {
  const column = columnOf(key, order);
  if (column)
    return [
      { name: 'texts', holds: 'texts', column },
      { name: 'empty', holds: 'no texts', column },
    ];
  if (order.isNumeric)
    return [
      { name: 'numbers', holds: 'numbers', key },
      { name: 'empty', holds: 'some', filter: () => ({ ...filter, withoutNumber: key }) },
    ];
  const values = order.kind === 'boolean' ? ['false', 'true'] : order.options;
  return [
    ...directed(partsByValue(filter, key, values), direction),
    { name: 'empty', holds: 'some', filter: () => narrowed(filter, { lacking: [answeredTerm(key)] }) },
  ];
}

/** Each submission is in the part of the first of its values, and with those that no version has now if it has none of them. */
function partsByValue(filter: Filter, key: string, values: readonly string[]): Part[] {
  const terms = [...new Set(values.flatMap((value) => equalTerm(key, value) ?? []))];
  return [...terms, undefined].map((term, at) => ({
    name: term ?? 'other',
    holds: 'some',
    // When it is read: together, those of a thousand options would take as many million characters.
    filter: () => narrowed(filter, { term: term ?? answeredTerm(key), lacking: terms.slice(0, at) }),
  }));
}

export const partsByStatus = (filter: Filter, direction: Slice['direction']): readonly Part[] =>
  directed(
    submissionStatuses
      .filter((status) => filter.statuses?.includes(status) ?? true)
      .map((status): Part => ({ name: status, holds: 'some', filter: () => ({ ...filter, statuses: [status] }) })),
    direction,
  );

/**
 * @param people in their order; others who take care of a submission come after them
 * @param after with whom the page before ended, who may not take care of anything any more
 */
export async function partsByAssignee(
  db: Database,
  filter: Filter,
  { people, direction, after }: { people: readonly string[]; direction: Slice['direction']; after: string | undefined },
): Promise<Part[]> {
  const found = [...new Set([...(await assigneesOf(db, filter.formId)), ...(after !== undefined && isId(after) ? [after] : [])])].sort();
  const known = people.filter((id) => found.includes(id));
  const others = found.filter((id) => !known.includes(id));
  const wanted = [...directed([...known, ...others], direction)].filter((id) => filter.assignee === undefined || filter.assignee === id);
  return [
    ...wanted.map((assignee): Part => ({ name: assignee, holds: 'some', filter: () => ({ ...filter, assignee }) })),
    ...(filter.assignee === undefined ? [{ name: nobody, holds: 'some', filter: () => ({ ...filter, isUnassigned: true }) } as const] : []),
  ];
}

const nobody = 'nobody';

const directed = <T>(parts: readonly T[], direction: Slice['direction']): readonly T[] =>
  direction === 'asc' ? parts : [...parts].reverse();

/** A page of a list of several parts. @param after undefined for its beginning */
export async function inParts(
  db: Database,
  filter: Filter,
  parts: readonly Part[],
  { direction, limit, after }: Pick<Slice, 'direction' | 'limit'> & { after: PartPlace | undefined },
  onMissingBlocks: () => void,
): Promise<FoundInParts> {
  const places: (Place & PartPlace)[] = [];
  const first = after === undefined ? 0 : parts.findIndex(({ name }) => name === after.part);
  // Otherwise the rest of the list would be missing, and nobody would know.
  if (first < 0) throw Problem.badRequest('cursor: the options of the field have changed since; begin again without it');
  const last = Math.min(parts.length, first + partsOfRequest);
  for (const [at, part] of parts.entries()) {
    if (at < first) continue;
    if (at === last || places.length === limit) return { places, next: { part: part.name } };
    const slice = { direction, limit: limit - places.length, after: at === first ? placeIn(after) : undefined };
    const found = await readPart(db, filter, part, slice, onMissingBlocks);
    places.push(...found.places.map((place) => ({ ...place, part: part.name })));
    if (found.next) return { places, next: { part: part.name, ...found.next } };
  }
  return { places, next: undefined };
}

type AnyPlace = Place & Partial<NumberPlace> & Partial<TextPlace>;

const placeIn = (after: PartPlace | undefined): AnyPlace | undefined =>
  after?.id === undefined || after.created === undefined ? undefined : { ...after, created: after.created, id: after.id };

function readPart(db: Database, filter: Filter, part: Part, slice: Slice<AnyPlace>, onMissingBlocks: () => void): Promise<Found<AnyPlace>> {
  const { after } = slice;
  switch (part.holds) {
    case 'some':
      return inTime(db, part.filter(), slice, onMissingBlocks);
    case 'numbers': {
      const { key } = part;
      return pageFrom<NumberPlace>(
        { ...slice, after: after && { ...after, number: after.number ?? 0 } },
        { read: (wanted) => fromNumbers(db, filter, wanted, key), end: (wanted) => endOfNumbers(db, filter, wanted, key) },
      );
    }
    case 'texts': {
      const { column } = part;
      return pageFrom<TextPlace>(
        { ...slice, after: after && { ...after, value: after.value ?? '' } },
        { read: (wanted) => fromKeys(db, filter, wanted, column), end: (wanted) => endOfKeys(db, filter, wanted, column) },
      );
    }
    case 'no texts': {
      const { column } = part;
      return pageFrom<Place>(slice, {
        read: (wanted) => withoutKeys(db, filter, wanted, column),
        end: (wanted) => endWithoutKeys(db, filter, wanted, column),
      });
    }
  }
}
