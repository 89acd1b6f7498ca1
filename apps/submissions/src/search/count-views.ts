import { maxCounted, type SubmissionViewCount, type ViewSearch } from '@sheaf/contracts';
import { authorize, Problem, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { askIndex, filterFor, type Conditions } from './conditions';
import type { Filter } from './filter';
import { allowanceOfRequest, inOrderOfChange, inTime, isUsedUp, placesOf, readOn, type Allowance, type Found } from './find-places';
import { countListed } from './found.queries';
import { readsAnswers } from './phrases';
import type { Place } from './slice';

interface Budget {
  /** For all views of a request; a page that was begun is read to its end. */
  totalMs: number;
  statementMs: number;
  /** For all views of a request too; by default that of a page of a list. */
  allowance?: Allowance;
}

interface Limits {
  statementMs: number;
  /** Whether the time is over, or nobody waits for the numbers any longer. */
  isOver: () => boolean;
  allowance: Allowance;
}

/** A request is answered well within the time for which a person waits for a list. */
const usual: Budget = { totalMs: 2_000, statementMs: 1_000 };
const pageSize = 2_000;
/** Answers are read by so many at first, as their lengths are unknown. */
const answersAtFirst = 100;

/** Counts the submissions of views, one after another, so that a request takes one connection. */
export async function countViews(
  deps: Deps,
  asked: Asked<Client>,
  { formId, views }: { formId: string; views: readonly { id: string; search: ViewSearch }[] },
  budget = usual,
): Promise<SubmissionViewCount[]> {
  authorize(await deps.forms.roleOn(formId, asked), 'read submissions of this form');
  const until = deps.clock.now().getTime() + budget.totalMs;
  const { signal, deadline } = asked.call;
  const limits: Limits = {
    statementMs: budget.statementMs,
    isOver: () => deps.clock.now().getTime() >= until || signal?.aborted === true || Date.now() >= deadline,
    allowance: budget.allowance ?? allowanceOfRequest(),
  };
  const counts: SubmissionViewCount[] = [];
  for (const { id, search } of views) {
    const { q, status, assignee, from, to, changed_since: changedSince, filter: filters = [] } = search;
    const statuses = status?.length === 0 ? undefined : status;
    const conditions: Conditions = { formId, q, filters, statuses, assignee, from, to, changedSince };
    counts.push({ id, ...(await countOf(deps, asked, conditions, limits)) });
  }
  return counts;
}

type Count = Omit<SubmissionViewCount, 'id'>;

/** Without a number if the view cannot be listed, as when its field is unknown or the index is incomplete, or if there was no time. */
async function countOf(
  deps: Deps,
  asked: Asked<Client>,
  conditions: Conditions,
  { statementMs, isOver, allowance }: Limits,
): Promise<Count> {
  const { db, searchBlocks } = deps;
  const { formId, statuses } = conditions;
  try {
    if (isByStatus(conditions)) return { total: await countListed(db, formId, statuses) };
    if (isOver()) return {};
    const filter = await filterFor(deps, asked, conditions);
    if ((await askIndex(db, conditions, filter)) === false) return {};
    return await db.transaction(async (trx) => {
      await trx.raw(`select set_config('statement_timeout', ?, true)`, [String(statementMs)]);
      const pageOf = pagesOf(trx, filter, () => searchBlocks.request(formId));
      if (readsAnswers(filter)) {
        if (isUsedUp(allowance)) return {};
        const page = { limit: maxCounted, after: undefined, allowance, atFirst: answersAtFirst, isOver };
        const { places, next } = await readOn<Place>(trx, filter, page, pageOf);
        return next ? {} : { total: places.length };
      }
      let count = 0;
      let after: Place | undefined;
      do {
        const { places, next } = await placesOf(trx, filter, () => pageOf(pageSize, after));
        count += places.length;
        if (count > maxCounted) return { total_at_least: maxCounted };
        after = next;
      } while (after && !isOver());
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

const pagesOf =
  (db: Database, filter: Filter, onMissingBlocks: () => void) =>
  (limit: number, after: Place | undefined): Promise<Found> =>
    filter.changedSince === undefined
      ? inTime(db, filter, { direction: 'desc', limit, after }, onMissingBlocks)
      : inOrderOfChange(db, filter, { direction: 'desc', limit, after });

/** Whether the list itself would be refused, or PostgreSQL has ended the statement ("query_canceled"). */
const isListedInVain = (error: unknown): boolean =>
  (error instanceof Problem && ['bad_request', 'unavailable'].includes(error.code)) ||
  (error as { code?: unknown } | undefined)?.code === '57014';
