import { rowsOf, type Database } from '@sheaf/postgres';
import { sumOf } from './asked.queries';
import { countersOfChoice, partsOf, saysAnswered, type Counter } from './counters';
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
  /** Those of each version. */
  versions: Count[];
  /** Those whose answers hid a field. */
  hidden: Count[];
  /** The digits that the ranges of numbers leave out. */
  digits: Count[];
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
  const rows = await rowsOf<{ counter: string | null; submissions: number; repeated: number }>(
    db,
    `with newest as materialized (
       select id from submission
        where form_id = :formId and deleted_at is null and spam_at is null
          and created_at >= to_timestamp(cast(:start as bigint) * 900) and created_at < to_timestamp(cast(:end as bigint) * 900)
        order by created_at desc, id desc limit :examine + 1
     ), choices as materialized (
       select array(select jsonb_array_elements_text(choice)) as counters from jsonb_array_elements(cast(:chosen as jsonb)) as choice
     ), counted as (
       select cast(c.counters as jsonb) as counters
         from (select id from newest limit :examine) as examined
         join insight_counted c on c.submission_id = examined.id
         join insight_form f on f.form_id = c.form_id and f.generation = c.generation
       -- Keeps the cast from being done for each use, without a copy of all of them on the disk.
       offset 0
     ), met as (
       select counters from counted
        where not exists (select from choices where not jsonb_exists_any(counted.counters, choices.counters))
          and counters @> any(cast(:statuses as jsonb[]))
     ), each_counter as (
       select counters, jsonb_array_elements_text(counters) as counter, generate_series(1, jsonb_array_length(counters)) as place from met
     )
     select null as counter, count(*) as submissions, 0 as repeated from newest
     union all
     select counter, count(*),
            count(*) filter (where left(counter, 1) = 'o' and starts_with(counters ->> (place - 2), substr(counter, 1, strpos(counter, '='))))
       from each_counter group by counter`,
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
  const counts = rows.flatMap(({ counter, ...count }) => (counter === null ? [] : [{ ...partsOf(counter), ...count }]));
  const ofKind = (kind: string) => counts.filter((count) => count.kind === kind);
  const byKey = new Map<string, ValueCount[]>(keys.map((key) => [key, []]));
  for (const { kind, key, item, submissions } of counts) if (isValue(kind)) byKey.get(key)?.push({ kind, key, item, submissions });
  const met = ofKind('s');
  return {
    statuses: met.sort((a, b) => (a.item < b.item ? -1 : 1)),
    answered: answeredIn(counts),
    versions: ofKind('v'),
    hidden: ofKind('h'),
    digits: ofKind('d'),
    values: [...byKey.values()].flat().slice(0, max),
    quarters: ofKind('q').map(({ item, submissions }) => ({ quarter: Number(item), submissions })),
    submissions: sumOf(met),
    examined: Math.min(newest, examine),
    isCut: newest > examine,
  };
}

/**
 * How often each field was answered. A submission with several options of a field has their counters one after another, all but the first of
 * which are `repeated`. To look for the first ones of each submission alone cost more than all other counting.
 */
function answeredIn(counts: readonly (Counter & { submissions: number; repeated: number })[]): Count[] {
  const answered = new Map<string, number>();
  for (const { kind, key, submissions, repeated } of counts)
    if (saysAnswered(kind)) answered.set(key, (answered.get(key) ?? 0) + submissions - repeated);
  return [...answered].map(([key, submissions]) => ({ key, item: '', submissions }));
}

const endOfTime = 2_147_483_647;

const isValue = (kind: string): kind is ValueCount['kind'] => /^[mnorwx]$/.test(kind);
