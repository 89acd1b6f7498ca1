import { authorize, Problem, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, timeInPlace, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { askIndex, filterFor, type Conditions } from './conditions';
import { inOrderOf, inOrderOfChange, inTime, placesOf, type AnyPlace, type Found } from './find-places';
import { countListed, jsonInOrder, rowsInOrder, type FoundRow } from './found.queries';
import type { NumberPlace, Slice } from './slice';

export interface Search extends Conditions {
  /** `created`, `updated` or `answers.<key>`, with a `-` for the greatest first. */
  sort: string;
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
}

const PlaceInTime = z.tuple([timeInPlace(), z.uuid()]);
const PlaceInOrder = z.tuple([...PlaceInTime.def.items, z.number()]);

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
  const filter = await filterFor(deps, asked, search, order.key);
  // Before the search: a submission that is indexed in between may be missing from it.
  const isIndexed = await askIndex(db, search, filter, order.key);
  const slice = { direction: order.direction, limit, after: startOf(search, order.key !== undefined) };

  const find = (): Promise<Found<AnyPlace>> => {
    if (order.key !== undefined) return inOrderOf(db, filter, slice, order.key);
    return order.by === 'updated' ? inOrderOfChange(db, filter, slice) : inTime(db, filter, slice, () => searchBlocks.request(formId));
  };
  const { places, next } = await placesOf(db, filter, find);
  const [found, total] = await Promise.all([
    (asJson ? jsonInOrder : rowsInOrder)(
      db,
      formId,
      places.map(({ id }) => id),
      maxBytes,
    ),
    totalOf(deps, search, { usesIndex: isIndexed !== undefined, found: places.length, isLast: next === undefined }),
  ]);
  return {
    found,
    nextCursor: next && cursorAfter([next.created, next.id, ...(next.number === undefined ? [] : [next.number])], listOf(search)),
    total,
    isIndexed,
  };
}

/** Everything that decides which submissions a list has, and in which order. */
const listOf = ({ formId, q, filters, statuses, assignee, from, to, changedSince, sort }: Search) => [
  'submissions',
  formId,
  { q, filters, statuses, assignee, from, to, changedSince, sort },
];

interface Order {
  direction: Slice['direction'];
  by: 'created' | 'updated' | 'answers';
  /** The field whose answers are ordered. */
  key: string | undefined;
}

function readOrder(sort: string): Order {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const name = sort.replace(/^-/, '');
  if (name === 'created' || name === 'updated') return { direction, by: name, key: undefined };
  return { direction, by: 'answers', key: name.slice('answers.'.length) };
}

function startOf(search: Search, isInOrder: boolean): NumberPlace | undefined {
  if (search.cursor === undefined) return undefined;
  const [created, id, number = 0] = isInOrder
    ? placeOf(PlaceInOrder, search.cursor, listOf(search))
    : placeOf(PlaceInTime, search.cursor, listOf(search));
  return { created, id, number };
}

/** Known if the form counts it, or if all of it is on this page. */
async function totalOf(
  { db }: Deps,
  { formId, cursor, statuses, assignee, from, to, changedSince }: Search,
  { usesIndex, found, isLast }: { usesIndex: boolean; found: number; isLast: boolean },
): Promise<number | undefined> {
  if (isLast && cursor === undefined) return found;
  if (usesIndex || (assignee ?? from ?? to ?? changedSince) !== undefined) return undefined;
  return countListed(db, formId, statuses);
}
