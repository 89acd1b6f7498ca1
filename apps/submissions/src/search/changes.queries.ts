import { exactTime, readOf, type Database } from '@sheaf/postgres';
import type { Filter } from './filter';
import { arrivalsIn, bindings, facts, matches, needsEntry, orderBy, within } from './find-clauses';
import { isListed } from './found.queries';
import { walkBudget } from './find.queries';
import type { Place, Slice } from './slice';

// Submissions in the order in which they last changed, or arrived if they never changed. No index has that time, because every new submission
// would have to enter it. So there are two lists, which together have each submission once: by the index of changes, and by that of arrivals.

/** A place in that order; `created` is the time of the change or the arrival. */
export interface ChangePlace extends Place {
  /** The same time in microseconds, to be compared. */
  micros: number;
}

export type Source = 'changed' | 'unchanged';

export interface ChangeSlice extends Slice {
  /** Not included. */
  until?: Place | undefined;
}

const micros = (at: string): string => `cast(extract(epoch from ${at}) * 1000000 as bigint) as micros`;

/** Reads one of the two lists, up to a place if one is given. */
export function fromChanges(db: Database, filter: Filter, slice: ChangeSlice, source: Source): Promise<ChangePlace[]> {
  const entry = `cross join lateral (
    select * from search_entry where (form_id, created_at, submission_id) = (:formId, s.created_at, s.id) offset 0
  ) as e`;
  return readOf(
    db,
    `select s.id, ${exactTime('s.at')} as created, ${micros('s.at')}
       from (${walk(filter, slice, source)} limit :budget) as s ${needsEntry(filter) ? entry : ''}
      where ${isListed('s', filter)} ${source === 'unchanged' ? 'and s.changed_at is null' : ''}
        and s.created_at >= cast(:since as timestamptz) and s.created_at < cast(:until as timestamptz) and ${matches('e', filter)}
      order by ${orderBy(slice, 's.at', 's.id')} limit :limit`,
    { ...changeBindings(filter, slice), budget: walkBudget },
  );
}

/** The place of the last submission that `fromChanges` reads, if there are as many as the budget. */
export async function endOfChanges(db: Database, filter: Filter, slice: ChangeSlice, source: Source): Promise<ChangePlace | undefined> {
  const [end] = await readOf<ChangePlace>(
    db,
    `select id, ${exactTime('at')} as created, ${micros('at')} from (${walk(filter, slice, source)} limit 1 offset :last) as s`,
    { ...changeBindings(filter, slice), last: walkBudget - 1 },
  );
  return end;
}

const walk = (filter: Filter, slice: Slice, source: Source): string =>
  source === 'unchanged'
    ? arrivalsIn(filter, slice, `${facts}, changed_at, created_at as at`)
    : `select ${facts}, changed_at, changed_at as at from submission
        where form_id = :formId and changed_at is not null and ${within(slice, 'changed_at', 'id')}
        order by ${orderBy(slice, 'changed_at', 'id')}`;

const changeBindings = (filter: Filter, slice: ChangeSlice) => ({
  ...bindings({ ...filter, from: filter.changedSince, to: undefined }, slice),
  ...(slice.until && { endCreated: slice.until.created, endId: slice.until.id }),
  since: filter.from ?? '-infinity',
  until: filter.to ?? 'infinity',
});
