import { maxCounted, type SubmissionViewCount, type ViewSearch } from '@sheaf/contracts';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { askIndex, filterFor, type Conditions } from './conditions';
import type { Filter } from './filter';
import { inOrderOfChange, inTime, placesOf, type Found } from './find-places';
import { countListed } from './found.queries';
import type { Place } from './slice';

interface Budget {
  /** For all views of a request; a page that was begun is read to its end. */
  totalMs: number;
  statementMs: number;
}

/** A request is answered well within the time for which a person waits for a list. */
const usual: Budget = { totalMs: 2_000, statementMs: 1_000 };
const pageSize = 2_000;

/** Counts the submissions of views, one after another, so that a request takes one connection. */
export async function countViews(
  deps: Deps,
  asked: Asked<Client>,
  { formId, views }: { formId: string; views: readonly { id: string; search: ViewSearch }[] },
  budget = usual,
): Promise<SubmissionViewCount[]> {
  authorize(await deps.forms.roleOn(formId, asked), 'read submissions of this form');
  const until = deps.clock.now().getTime() + budget.totalMs;
  const counts: SubmissionViewCount[] = [];
  for (const { id, search } of views) {
    const { q, status, assignee, from, to, changed_since: changedSince, filter: filters = [] } = search;
    const statuses = status?.length === 0 ? undefined : status;
    const conditions: Conditions = { formId, q, filters, statuses, assignee, from, to, changedSince };
    counts.push({ id, ...(await countOf(deps, asked, conditions, { ...budget, until })) });
  }
  return counts;
}

type Count = Omit<SubmissionViewCount, 'id'>;

/** Without a number if the view cannot be listed, as when its field is unknown or the index is incomplete, or if there was no time. */
async function countOf(
  deps: Deps,
  asked: Asked<Client>,
  conditions: Conditions,
  { until, statementMs }: Budget & { until: number },
): Promise<Count> {
  const { db, clock, searchBlocks } = deps;
  const { formId, statuses } = conditions;
  try {
    if (isByStatus(conditions)) return { total: await countListed(db, formId, statuses) };
    if (clock.now().getTime() >= until) return {};
    const filter = await filterFor(deps, asked, conditions);
    if ((await askIndex(db, conditions, filter)) === false) return {};
    return await db.transaction(async (trx) => {
      await trx.raw(`select set_config('statement_timeout', ?, true)`, [String(statementMs)]);
      let count = 0;
      let after: Place | undefined;
      do {
        const { places, next } = await pageOf(trx, filter, after, () => searchBlocks.request(formId));
        count += places.length;
        if (count > maxCounted) return { total_at_least: maxCounted };
        after = next;
      } while (after && clock.now().getTime() < until);
      return after ? {} : { total: count };
    });
  } catch (error) {
    if (isListedInVain(error)) return {};
    throw error;
  }
}

/** Such views are counted whenever a submission is stored or changed. */
const isByStatus = ({ q, filters, assignee, from, to, changedSince }: Conditions): boolean =>
  filters.length === 0 && (q ?? assignee ?? from ?? to ?? changedSince) === undefined;

const pageOf = (db: Database, filter: Filter, after: Place | undefined, onMissingBlocks: () => void): Promise<Found> =>
  placesOf(db, filter, () =>
    filter.changedSince === undefined
      ? inTime(db, filter, { direction: 'desc', limit: pageSize, after }, onMissingBlocks)
      : inOrderOfChange(db, filter, { direction: 'desc', limit: pageSize, after }),
  );

/** Whether the list itself would be refused, or PostgreSQL has ended the statement ("query_canceled"). */
const isListedInVain = (error: unknown): boolean =>
  (error instanceof Problem && ['bad_request', 'unavailable'].includes(error.code)) ||
  (error as { code?: unknown } | undefined)?.code === '57014';
