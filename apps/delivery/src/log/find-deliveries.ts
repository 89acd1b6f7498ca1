import { isId, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, type Asked, type Client as HooksClient, type HooksDefinition } from '@sheaf/rpc';
import { z } from 'zod';
import { firstIdOf } from '../ids-by-time';
import { deliveriesById, walkDeliveries, type DeliveryRow } from './deliveries.queries';
import { authorizeReading, urlFor, type ReadingDeps } from './read-deliveries';

export interface DeliverySearch {
  formId: string;
  subscriptionId: string | undefined;
  submissionId?: string | undefined;
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
  const { formId, subscriptionId, submissionId, state, event, from, to, limit } = search;
  const { role } = await authorizeReading(deps, asked, formId);
  const list = ['deliveries', formId, { subscriptionId, submissionId, state, event, from, to }];
  const [after] = search.cursor === undefined ? [] : placeOf(z.tuple([z.string().refine(isId)]), search.cursor, list);
  // A malformed id matches nothing.
  if ([subscriptionId, submissionId].some((id) => id !== undefined && !isId(id))) return { rows: [], nextCursor: undefined };

  const range = {
    event,
    first: firstIdOf(new Date(from ?? 0)),
    before: after ?? (to === undefined ? lastId : firstIdOf(new Date(to))),
  };
  const read = { limit: limit + 1, most: event === undefined ? limit + 1 : most };
  const { ids, end } = await walkDeliveries(deps.db, { formId, state, subscriptionId, submissionId }, range, read);
  const page = ids.slice(0, limit);
  const next = ids.length > limit ? page.at(-1) : end;
  const rows = await deliveriesById(deps.db, deps.clock, page);
  return {
    rows: rows.map((row) => ({ ...row, url: urlFor(role, row.wide, row.url) })),
    nextCursor: next === undefined ? undefined : cursorAfter([next], list),
  };
}

/** A page of the deliveries to a webhook of a workspace or the instance, newest first. @throws Problem `not_found`, `forbidden` */
export async function listWebhookDeliveries(
  { db, clock, webhooks }: Pick<ReadingDeps, 'db' | 'clock'> & { webhooks: Pick<HooksClient<HooksDefinition>, 'getWebhook'> },
  { call }: Asked<Client>,
  {
    workspaceId,
    id,
    state,
    limit,
    cursor,
  }: { workspaceId: string | undefined; id: string } & Pick<DeliverySearch, 'state' | 'limit' | 'cursor'>,
): Promise<{ rows: DeliveryRow[]; nextCursor: string | undefined }> {
  // `hooks` decides who may read it. Callers who may change the webhook see its address: nobody may read but not change it.
  await webhooks.getWebhook(call, { workspace_id: workspaceId, id });
  const list = ['deliveries to a webhook', id, { state }];
  const [before = lastId] = cursor === undefined ? [] : placeOf(z.tuple([z.string().refine(isId)]), cursor, list);
  const filter = { formId: undefined, state, subscriptionId: id };
  const { ids } = await walkDeliveries(
    db,
    filter,
    { event: undefined, first: firstIdOf(new Date(0)), before },
    { limit: limit + 1, most: limit + 1 },
  );
  const page = ids.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: await deliveriesById(db, clock, page),
    nextCursor: ids.length > limit && last !== undefined ? cursorAfter([last], list) : undefined,
  };
}
