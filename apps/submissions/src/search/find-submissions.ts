import { authorize, Problem, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { askIndex, filterFor, hasRelativeDays, todayOf, type Conditions } from './conditions';
import { inOrderOfChange, inTime, readOn } from './find-places';
import { countListed, jsonInOrder, rowsInOrder, type FoundRow } from './found.queries';
import { columnOf, inParts, partsByAssignee, partsByField, partsByStatus, type Part, type PartPlace } from './orders';
import type { Filter } from './filter';
import type { Place, Slice } from './slice';
import { prepareColumn } from './sort-keys';

export interface Search extends Conditions {
  /** `created`, `updated`, `status`, `assignee` or `answers.<key>`, with a `-` for the greatest first. */
  sort: string;
  /** The members of the workspace, for the order of those who take care. */
  people?: readonly string[] | undefined;
  limit: number;
  cursor?: string | undefined;
  /** Maximum bytes of answers in the page. */
  maxBytes: number | undefined;
  /** Whether the page is one JSON text, for a caller that only passes it on. */
  asJson: boolean;
}

export interface FoundPage {
  /** The submissions as rows, or as a JSON array and those whose answers do not fit. */
  found: FoundRow[] | { json: string; inJson: number; rest: FoundRow[] };
  nextCursor: string | undefined;
  /** The number of submissions on all pages, if it is known without reading them. */
  total: number | undefined;
  /** Whether every submission is in the index of answers. Undefined if the index was not asked. */
  isIndexed: boolean | undefined;
  /** How many submissions are in the order that was asked for, while it is prepared. The page is then empty. */
  preparing?: { done: number; of: number };
}

const PlaceInTime = z.tuple([timeInPlace(), z.uuid()]);
const PlaceInNumbers = z.tuple([...PlaceInTime.def.items, z.number()]);
/** The part of the list; nothing more at its beginning, or a place, and the text by which it is there. */
const PlaceInParts = z.union([
  z.tuple([z.string().max(400)]),
  z.tuple([z.string().max(400), ...PlaceInTime.def.items]),
  z.tuple([
    z.string().max(400),
    ...PlaceInTime.def.items,
    z
      .string()
      .max(200)
      .regex(/^[^\0]*$/),
  ]),
  // As earlier versions have it, beside which this one may run.
  PlaceInNumbers,
]);

const Word = z.union([z.string().max(400), z.number()]);
const todayMark = 'today ';
/** Of a year in which the days some years before and after it have dates of the same form. */
const Today = z
  .string()
  .regex(/^today [1-8]\d{3}-/)
  .transform((text) => text.slice(todayMark.length))
  .pipe(z.iso.date());

/**
 * A place, and before it the day from which the first page counted, if it counted from any: a list that was begun before midnight goes on with the
 * same submissions after it. An earlier release names no day.
 */
const withDay = <T extends z.ZodType>(shape: T) =>
  z.array(Word).transform((words, context) => {
    const [first] = words;
    const hasDay = typeof first === 'string' && first.startsWith(todayMark);
    const today = hasDay ? Today.safeParse(first) : undefined;
    const place = shape.safeParse(hasDay ? words.slice(1) : words);
    if (place.success && today?.success !== false) return { today: today?.data, place: place.data };
    context.addIssue('must be a place in this list');
    return z.NEVER;
  });

/**
 * A page of the submissions that somebody looks for. A request reads only so many rows; a page may therefore have fewer submissions than the
 * limit, or none, and a cursor all the same.
 * @throws Problem `bad_request` that names the parameter
 */
export async function findSubmissions(deps: Deps, asked: Asked<Client>, search: Search): Promise<FoundPage> {
  const { db, forms, searchBlocks } = deps;
  const { formId, limit, maxBytes, asJson } = search;
  authorize(await forms.roleOn(formId, asked), 'read submissions of this form');
  const order = readOrder(search.sort);
  if (search.changedSince !== undefined && order.by !== 'updated')
    throw Problem.badRequest('changed_since: can only be combined with sort=updated and sort=-updated');
  const today = hasRelativeDays(search.filters) ? (dayIn(search) ?? (await todayOf(deps, asked, formId))) : undefined;
  const cursor = (words: readonly (string | number)[]) =>
    cursorAfter([...(today === undefined ? [] : [`today ${today}`]), ...words], listOf(search));
  const filter = await filterFor(deps, asked, { ...search, today }, order.key);
  // The people who take care of spam, or of what is in the trash, are not known without reading all of it.
  if (filter.areas && order.by === 'assignee') throw Problem.badRequest('sort: assignee cannot be combined with filter[_in]');
  // Before the search: a submission that is indexed in between may be missing from it.
  const isIndexed = await askIndex(db, search, filter, order.key);
  const parts =
    order.by === 'created' || order.by === 'updated' ? undefined : await partsOf(deps, asked, search, { order, filter, cursor });
  if (parts && 'preparing' in parts)
    return { ...parts, found: asJson ? { json: '[]', inJson: 0, rest: [] } : [], total: undefined, isIndexed };
  const blocks = () => searchBlocks.request(formId);
  const { direction } = order;
  const { places, next } = await (parts
    ? readOn(db, filter, { limit, after: partAfter(search) }, (most, after) =>
        inParts(db, filter, parts, { direction, limit: most, after }, blocks),
      )
    : readOn<Place>(db, filter, { limit, after: placeAfter(search) }, (most, after) =>
        inOrderOfTime(deps, filter, { direction, limit: most, after }, order.by),
      ));
  const [found, total] = await Promise.all([
    (asJson ? jsonInOrder : rowsInOrder)(
      db,
      formId,
      places.map(({ id }) => id),
      maxBytes,
    ),
    totalOf(deps, search, { isWhole: isIndexed !== false && hasAll(search), found: places.length, isLast: next === undefined }),
  ]);
  return { found, nextCursor: next && cursor(wordsOf(next)), total, isIndexed };
}

/** The parts of a list in the order of a column; those of an answer that has keys only once all submissions have theirs. */
async function partsOf(
  { db, forms }: Deps,
  asked: Asked<Client>,
  search: Search,
  { order: { by, direction, key }, filter, cursor }: { order: Order; filter: Filter; cursor: (words: readonly string[]) => string },
): Promise<readonly Part[] | { preparing: { done: number; of: number }; nextCursor: string }> {
  if (by === 'status') return partsByStatus(filter, direction);
  if (by === 'assignee') return partsByAssignee(db, filter, { people: search.people ?? [], direction, after: partAfter(search)?.part });
  const sortKey = key ?? '';
  const order = await forms.orderOf(search.formId, sortKey, asked);
  const column = columnOf(sortKey, order);
  if (column) {
    const { isReady, entries } = await prepareColumn(db, search.formId, column);
    if (!isReady) {
      const of = await countListed(db, search.formId, undefined);
      return {
        preparing: { done: entries, of: Math.max(of, entries) },
        nextCursor: search.cursor ?? cursor(['texts']),
      };
    }
  }
  return partsByField(filter, sortKey, order, direction);
}

const inOrderOfTime = ({ db, searchBlocks }: Deps, filter: Filter, slice: Slice, by: Order['by']) =>
  by === 'updated' ? inOrderOfChange(db, filter, slice) : inTime(db, filter, slice, () => searchBlocks.request(filter.formId));

/** Whether the conditions leave no submission out but by its status. */
const hasAll = ({ q, filters, assignee, from, to, changedSince }: Search): boolean =>
  filters.length === 0 && (q ?? assignee ?? from ?? to ?? changedSince) === undefined;

/** A place as a cursor has it. */
function wordsOf(place: Place | PartPlace): (string | number)[] {
  if (!('part' in place)) return [place.created, place.id];
  const { part, created, id, number, value } = place;
  if (created === undefined || id === undefined) return [part];
  if (number !== undefined) return [created, id, number];
  return value === undefined ? [part, created, id] : [part, created, id, value];
}

/** Everything that decides which submissions a list has, and in which order. */
const listOf = ({ formId, q, filters, statuses, assignee, from, to, changedSince, sort }: Search) => [
  'submissions',
  formId,
  { q, filters, statuses, assignee, from, to, changedSince, sort },
];

interface Order {
  direction: Slice['direction'];
  by: 'created' | 'updated' | 'status' | 'assignee' | 'answers';
  /** The field whose answers are ordered. */
  key: string | undefined;
}

function readOrder(sort: string): Order {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const name = sort.replace(/^-/, '');
  if (name === 'created' || name === 'updated' || name === 'status' || name === 'assignee') return { direction, by: name, key: undefined };
  return { direction, by: 'answers', key: name.slice('answers.'.length) };
}

function placeAfter(search: Search): Place | undefined {
  if (search.cursor === undefined) return undefined;
  const [created, id] = placeOf(withDay(PlaceInTime), search.cursor, listOf(search)).place;
  return { created, id };
}

const dayIn = (search: Search): string | undefined =>
  search.cursor === undefined ? undefined : placeOf(withDay(z.unknown()), search.cursor, listOf(search)).today;

function partAfter(search: Search): PartPlace | undefined {
  if (search.cursor === undefined) return undefined;
  const { place } = placeOf(withDay(PlaceInParts), search.cursor, listOf(search));
  if (isPlaceInNumbers(place)) return { part: 'numbers', created: place[0], id: place[1], number: place[2] };
  const [part, created, id, value] = place;
  return { part, created, id, value };
}

const isPlaceInNumbers = (place: z.output<typeof PlaceInParts>): place is z.output<typeof PlaceInNumbers> => typeof place[2] === 'number';

/** Known if the form counts it, or if all of it is on this page. */
async function totalOf(
  { db }: Deps,
  { formId, cursor, statuses }: Search,
  { isWhole, found, isLast }: { isWhole: boolean; found: number; isLast: boolean },
): Promise<number | undefined> {
  if (isLast && cursor === undefined) return found;
  return isWhole ? countListed(db, formId, statuses) : undefined;
}
