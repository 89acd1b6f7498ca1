import { readOf, rowsOf, type Database } from '@sheaf/postgres';
import { walkAgain, walkNewForms } from './count.queries';

/** Whether every submission of the form has been counted under the fields of its version. If none was yet, counting begins. */
export async function isComplete(db: Database, formId: string): Promise<boolean> {
  const [row] = await readOf<{ complete: boolean }>(
    db,
    `select walk_created_at is null and not exists (select from insight_missing_version m where m.form_id = f.form_id)
              and not exists (select from insight_version_by_id v where v.form_id = f.form_id and (v.options is null or v.matrices is null) and v.missing_since is null) as complete
       from insight_form f where form_id = ?`,
    [formId],
  );
  if (!row) await rowsOf(db, walkNewForms, [[formId]]);
  return row?.complete === true;
}

/**
 * Lets the background count all submissions of the form again if an earlier release counted some of them, and did not note their versions. At most once an
 * hour, however many people look and whatever else counts meanwhile.
 * @returns whether it begins now
 */
export async function countAgain(db: Database, formId: string, now: Date): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `${walkAgain}, counted_again_at = cast(:now as timestamptz)
      where form_id = :formId and walk_created_at is null
        and (counted_again_at is null or counted_again_at <= cast(:now as timestamptz) - interval '1 hour')
        and (select coalesce(sum(submissions) filter (where kind = 'v'), 0) < coalesce(sum(submissions) filter (where kind = 's'), 0)
               from insight_count where form_id = :formId and kind in ('s', 'v') and key = '')
     returning form_id`,
    { formId, now },
  );
  return rows.length > 0;
}

/** A day from its first quarter of an hour to before `end`. */
export interface Day {
  date: string;
  start: number;
  end: number;
}

/** The number of submissions on each of these days. */
export async function countDays(db: Database, formId: string, days: readonly Day[]): Promise<{ date: string; submissions: number }[]> {
  const rows = await readOf<{ submissions: number }>(
    db,
    `select coalesce((select sum(submissions) from insight_quarter where form_id = :formId and quarter >= day.start and quarter < day.until), 0)::bigint as submissions
       from unnest(cast(:starts as integer[]), cast(:ends as integer[])) with ordinality as day (start, until, place) order by place`,
    { formId, starts: days.map(({ start }) => start), ends: days.map(({ end }) => end) },
  );
  return days.map(({ date }, n) => ({ date, submissions: rows[n]?.submissions ?? 0 }));
}

export interface Count {
  key: string;
  item: string;
  submissions: number;
}

/** The counters of some kinds, for these keys, as they were at one moment. */
export const countsOf = <Kind extends 's' | 'a' | 'v' | 'h' | 'd'>(
  db: Database,
  formId: string,
  kinds: readonly Kind[],
  keys: readonly string[],
): Promise<(Count & { kind: Kind })[]> =>
  readOf<Count & { kind: Kind }>(
    db,
    `select kind, key, item, submissions from insight_count
      where form_id = ? and kind = any(cast(? as text[])) and key = any(cast(? as text[])) order by key, item`,
    [formId, [...kinds], [...keys]],
  );

export type ValueCount = Count & { kind: 'o' | 'w' | 'n' | 'r' | 'm' | 'x' };

/** The counters of answers by value, for these keys and in their order, up to `max` of them. */
export const valueCounts = (db: Database, formId: string, keys: readonly string[], max: number): Promise<ValueCount[]> =>
  readOf<ValueCount>(
    db,
    `select counted.kind, counted.key, counted.item, counted.submissions
       from unnest(cast(:keys as text[])) with ordinality as wanted (key, place)
      cross join unnest(array['m', 'n', 'o', 'r', 'w', 'x']) as kinds (kind)
      cross join lateral (
        select * from insight_count c where c.form_id = :formId and c.kind = kinds.kind and c.key = wanted.key limit :max
      ) as counted
      order by place limit :max`,
    { formId, keys: [...keys], max },
  );
