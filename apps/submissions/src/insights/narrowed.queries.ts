import { rowsOf, type Database } from '@sheaf/postgres';
import { countersOfChoice, partsOf } from './counters';
import type { Count, ValueCount } from './insights.queries';

/** Which submissions are counted in place of all. */
export interface Narrowing {
  /** From the first quarter of an hour to before the last one. */
  period: { start: number; end: number } | undefined;
  /** Any of them; all if empty. */
  statuses: readonly string[];
  /** Options that were all chosen. */
  chosen: readonly { key: string; value: string }[];
}

export interface NarrowedCounts {
  statuses: Count[];
  answered: Count[];
  /** In the order of the keys, up to `max` of them. */
  values: ValueCount[];
  /** By the quarter of an hour in which they arrived. */
  quarters: { quarter: number; submissions: number }[];
  /** Those that meet all conditions. */
  submissions: number;
  examined: number;
  /** There are older ones, which were not examined. */
  isCut: boolean;
}

/**
 * Counts some of a form's submissions, of the newest `examine`. No counter is kept for them: what is remembered of each submission is added up, which
 * costs as much as there are.
 */
export async function narrowedCounts(
  db: Database,
  formId: string,
  { period, statuses, chosen }: Narrowing,
  { keys, max, examine }: { keys: readonly string[]; max: number; examine: number },
): Promise<NarrowedCounts> {
  const rows = await rowsOf<{ counter: string | null; submissions: number }>(
    db,
    `with newest as materialized (
       select id from submission
        where form_id = :formId and deleted_at is null and spam_at is null
          and created_at >= to_timestamp(cast(:start as bigint) * 900) and created_at < to_timestamp(cast(:end as bigint) * 900)
        order by created_at desc, id desc limit :examine + 1
     ), choices as materialized (
       select array(select jsonb_array_elements_text(choice)) as counters from jsonb_array_elements(cast(:chosen as jsonb)) as choice
     ), counted as materialized (
       select cast(c.counters as jsonb) as counters
         from (select id from newest limit :examine) as examined
         join insight_counted c on c.submission_id = examined.id
         join insight_form f on f.form_id = c.form_id and f.generation = c.generation
     ), met as (
       select counters from counted
        where not exists (select from choices where not jsonb_exists_any(counted.counters, choices.counters))
          and counters @> any(cast(:statuses as jsonb[]))
     )
     select null as counter, count(*) as submissions from newest
     union all
     select counter, count(*) from met cross join lateral (
       select counter from jsonb_array_elements_text(counters) as counter
       union
       select 'a' || substr(counter, 2, strpos(counter, '=') - 1) from jsonb_array_elements_text(counters) as counter
        where left(counter, 1) in ('o', 'w', 'n')
     ) as each_once group by counter`,
    {
      formId,
      start: period?.start ?? 0,
      end: period?.end ?? endOfTime,
      examine,
      chosen: JSON.stringify(chosen.map(({ key, value }) => countersOfChoice(key, value))),
      // Nothing is in every list.
      statuses: statuses.length === 0 ? ['[]'] : statuses.map((status) => JSON.stringify([`s=${status}`])),
    },
  );
  const newest = rows.find(({ counter }) => counter === null)?.submissions ?? 0;
  const counts = rows.flatMap(({ counter, submissions }) => (counter === null ? [] : [{ ...partsOf(counter), submissions }]));
  const ofKind = (kind: string) => counts.filter((count) => count.kind === kind);
  const byKey = new Map<string, ValueCount[]>(keys.map((key) => [key, []]));
  for (const { kind, ...count } of counts) if (isValue(kind)) byKey.get(count.key)?.push({ kind, ...count });
  const met = ofKind('s');
  return {
    statuses: met.sort((a, b) => (a.item < b.item ? -1 : 1)),
    answered: ofKind('a'),
    values: [...byKey.values()].flat().slice(0, max),
    quarters: ofKind('q').map(({ item, submissions }) => ({ quarter: Number(item), submissions })),
    submissions: met.reduce((sum, { submissions }) => sum + submissions, 0),
    examined: Math.min(newest, examine),
    isCut: newest > examine,
  };
}

const endOfTime = 2_147_483_647;

const isValue = (kind: string): kind is ValueCount['kind'] => kind === 'o' || kind === 'r' || kind === 'w' || kind === 'n';
