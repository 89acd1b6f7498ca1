import { deliveryStates, readReference, stateOfReason, statusesOfAnswer } from '@sheaf/contracts';
import { isId, type Client } from '@sheaf/kernel';
import { cursorAfter, placeOf, type Asked, type Client as HooksClient, type HooksDefinition } from '@sheaf/rpc';
import { z } from 'zod';
import { leaseMs } from '../attempts/claims.queries';
import { firstIdOf } from '../ids-by-time';
import { deliveriesById, submissionsNamed, walkDeliveries, type DeliveryRow } from './deliveries.queries';
import { authorizeReading, urlFor, type ReadingDeps } from './read-deliveries';

/** Narrows a list of deliveries down. */
export interface DeliveryFilter {
  /** The id or the reference of a submission, as people type or paste it. */
  submissionId?: string | undefined;
  state?: string | undefined;
  event?: string | undefined;
  /** A status (`503`), a class (`5xx`), or `none`. */
  answer?: string | undefined;
  reason?: string | undefined;
  /** ISO 8601: planned at or after `from`, and before `to`. */
  from?: string | undefined;
  to?: string | undefined;
}

interface Paging {
  limit: number;
  cursor?: string | undefined;
}

interface Page {
  rows: DeliveryRow[];
  nextCursor: string | undefined;
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
  search: DeliveryFilter & Paging & { formId: string; subscriptionId: string | undefined },
  most = mostRead,
): Promise<Page> {
  const { formId, subscriptionId } = search;
  const { role } = await authorizeReading(deps, asked, formId);
  const page = await walkPage(deps, ['deliveries', formId, { subscriptionId }], search, most);
  return { ...page, rows: page.rows.map((row) => ({ ...row, url: urlFor(role, row.wide, row.url) })) };
}

/** A page of the deliveries to a webhook of a workspace or the instance, newest first. @throws Problem `not_found`, `forbidden` */
export async function listWebhookDeliveries(
  deps: WalkingDeps & { webhooks: Pick<HooksClient<HooksDefinition>, 'getWebhook'> },
  { call }: Asked<Client>,
  { workspaceId, id, ...search }: DeliveryFilter & Paging & { workspaceId: string | undefined; id: string },
): Promise<Page> {
  // `hooks` decides who may read it. Callers who may change the webhook see its address: nobody may read but not change it.
  await deps.webhooks.getWebhook(call, { workspace_id: workspaceId, id });
  return walkPage(deps, ['deliveries to a webhook', id, {}], { formId: undefined, subscriptionId: id, ...search }, mostRead);
}

type WalkingDeps = Pick<ReadingDeps, 'db' | 'clock' | 'settings'>;

/** @param list what the cursor is for, besides the filter. */
async function walkPage(
  { db, clock, settings }: WalkingDeps,
  [kind, owner, more]: [kind: string, owner: string, more: object],
  search: DeliveryFilter & Paging & { formId: string | undefined; subscriptionId: string | undefined },
  most: number,
): Promise<Page> {
  const { formId, subscriptionId, submissionId: pasted, state, event, answer, reason, from, to, limit } = search;
  // Nothing has a name that is neither an id nor a reference.
  const name = pasted === undefined ? undefined : (readReference(pasted) ?? '');
  const list = [kind, owner, { ...more, submissionId: name, state, event, answer, reason, from, to }];
  const [after] = search.cursor === undefined ? [] : placeOf(z.tuple([z.string().refine(isId)]), search.cursor, list);
  const statuses = answer === undefined ? undefined : statusesOfAnswer(answer);
  const states = statesWith({ state, reason, statuses });
  const submissionIds = name === undefined ? undefined : await submissionsNamed(db, name);
  // Nothing matches a malformed id, or states that exclude each other.
  if (states?.length === 0 || submissionIds?.length === 0 || (subscriptionId !== undefined && !isId(subscriptionId)))
    return { rows: [], nextCursor: undefined };

  // All that are read match, unless something is asked that no index knows.
  const matchesAll =
    [event, answer, reason, name].every((asked) => asked === undefined) && (formId === undefined || subscriptionId === undefined);
  const { ids, end } = await walkDeliveries(
    db,
    clock,
    { formId, subscriptionId, submissionIds, states, event, reason, answer: statuses },
    { first: firstIdOf(new Date(from ?? 0)), before: after ?? (to === undefined ? lastId : firstIdOf(new Date(to))) },
    { limit: limit + 1, most: matchesAll ? limit + 1 : most, leaseMs: leaseMs(settings) },
  );
  const page = ids.slice(0, limit);
  const next = ids.length > limit ? page.at(-1) : end;
  return {
    rows: await deliveriesById(db, clock, page),
    nextCursor: next === undefined ? undefined : cursorAfter([next], list),
  };
}

/** The states that a delivery may have; undefined for any. An index knows them, so those that succeeded need not be read to find the others. */
function statesWith({
  state,
  reason,
  statuses,
}: {
  state: string | undefined;
  reason: string | undefined;
  statuses: { first: number; last: number } | null | undefined;
}): readonly string[] | undefined {
  if (state === undefined && reason === undefined && statuses === undefined) return undefined;
  // A delivery that succeeded was answered with a 2xx at last. Before it was sent again, any other may have been.
  const isFailure = statuses !== undefined && (statuses === null || statuses.last < 200 || statuses.first > 299);
  return deliveryStates
    .filter((one) => state === undefined || one === state)
    .filter((one) => reason === undefined || one === stateOfReason(reason))
    .filter((one) => statuses === undefined || (one !== 'skipped' && !(isFailure && one === 'succeeded')));
}
