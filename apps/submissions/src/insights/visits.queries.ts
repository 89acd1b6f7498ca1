import { readOf, rowsOf, type Database } from '@sheaf/postgres';
import type { Day } from './insights.queries';

/** How often a form was opened, begun and completed. */
export interface VisitCounts {
  views: number;
  starts: number;
  completions: number;
}

export type QuarterVisits = VisitCounts & { form_id: string; quarter: number };

/** Adds to the counts of forms in quarters of an hour. Always in the same order, because several processes do this at once. */
export async function addVisits(db: Database, counts: readonly QuarterVisits[]): Promise<void> {
  const column = <K extends keyof QuarterVisits>(name: K) => counts.map((count) => count[name]);
  await rowsOf(
    db,
    `insert into visit_count as v (form_id, quarter, views, starts, completions)
     select * from unnest(cast(:forms as uuid[]), cast(:quarters as integer[]), cast(:views as bigint[]), cast(:starts as bigint[]),
                          cast(:completions as bigint[])) as added (form_id, quarter, views, starts, completions) order by form_id, quarter
     on conflict (form_id, quarter) do update
        set views = v.views + excluded.views, starts = v.starts + excluded.starts, completions = v.completions + excluded.completions`,
    {
      forms: column('form_id'),
      quarters: column('quarter'),
      views: column('views'),
      starts: column('starts'),
      completions: column('completions'),
    },
  );
}

/** The visits of each of these days, in their order. */
export const visitsOfDays = (db: Database, formId: string, days: readonly Day[]): Promise<VisitCounts[]> =>
  readOf<VisitCounts>(
    db,
    `select counted.* from unnest(cast(:starts as integer[]), cast(:ends as integer[])) with ordinality as day (start, until, place)
      cross join lateral (
        select coalesce(sum(views), 0)::bigint as views, coalesce(sum(starts), 0)::bigint as starts,
               coalesce(sum(completions), 0)::bigint as completions
          from visit_count where form_id = :formId and quarter >= day.start and quarter < day.until
      ) as counted
      order by place`,
    { formId, starts: days.map(({ start }) => start), ends: days.map(({ end }) => end) },
  );
