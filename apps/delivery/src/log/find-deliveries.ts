import { isId, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, type Asked } from '@sheaf/rpc';
import { z } from 'zod';
import { deliveriesById, walkDeliveries, type DeliveryRow } from './deliveries.queries';
import { authorizeReading, urlFor, type ReadingDeps } from './read-deliveries';
import { firstIdOf } from './redeliver';

export interface DeliverySearch {
  formId: string;
  subscriptionId: string | undefined;
  state?: string | undefined;
  event?: string | undefined;
  /** ISO 8601: planned at or after `from`, and before `to`. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The most deliveries that one request reads. */
const mostRead = 5_000;

/**
 * A page of the form's deliveries, newest first. A request reads a bounded number of them; a page may therefore have fewer than the limit, or none,
 * and a cursor all the same.
 */
export async function findDeliveries(
  deps: ReadingDeps,
  asked: Asked<Client>,
  search: DeliverySearch,
  most = mostRead,
): Promise<{ rows: DeliveryRow[]; nextCursor: string | undefined }> {
  const { formId, subscriptionId, state, event, from, to, limit } = search;
  const role = await authorizeReading(deps, asked, formId);
  const list = ['deliveries', formId, { subscriptionId, state, event, from, to }];
  const [after] = search.cursor === undefined ? [] : placeOf(z.tuple([z.string().refine(isId)]), search.cursor, list);
  // A malformed id matches nothing.
  if (subscriptionId !== undefined && !isId(subscriptionId)) return { rows: [], nextCursor: undefined };

  const range = {
    event,
    first: firstIdOf(new Date(from ?? 0)),
    before: after ?? (to === undefined ? lastId : firstIdOf(new Date(to))),
  };
  const read = { limit: limit + 1, most: event === undefined ? limit + 1 : most };
  const { ids, end } = await walkDeliveries(deps.db, { formId, state, subscriptionId }, range, read);
  const page = ids.slice(0, limit);
  const next = ids.length > limit ? page.at(-1) : end;
  const rows = await deliveriesById(deps.db, deps.clock, page);
  return {
    rows: rows.map((row) => ({ ...row, url: urlFor(role, row.wide, row.url) })),
    nextCursor: next === undefined ? undefined : cursorAfter([next], list),
  };
}
