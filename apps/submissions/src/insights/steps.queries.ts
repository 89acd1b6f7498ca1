import { readOf, rowsOf, type Database } from '@sheaf/postgres';
import type { Day } from './insights.queries';

/** How many sittings got to a step beyond those before it, and how many got further from there. */
export interface StepCounts {
  reached: number;
  wentOn: number;
}

export interface QuarterSteps {
  formId: string;
  outline: string;
  quarter: number;
  steps: readonly StepCounts[];
}

/** Adds to the counts of forms in quarters of an hour. Always in the same order, because several processes do this at once. */
export async function addSteps(db: Database, counts: readonly QuarterSteps[]): Promise<void> {
  const arrays = (of: (counted: StepCounts) => number) => counts.map(({ steps }) => `{${steps.map(of).join(',')}}`);
  await rowsOf(
    db,
    `insert into step_count as s (form_id, outline, quarter, reached, went_on)
     select form_id, outline, quarter, cast(reached as bigint[]), cast(went_on as bigint[])
       from unnest(cast(:forms as uuid[]), cast(:outlines as text[]), cast(:quarters as integer[]), cast(:reached as text[]), cast(:wentOn as text[]))
         as added (form_id, outline, quarter, reached, went_on)
      order by form_id, outline, quarter
     on conflict (form_id, outline, quarter) do update
        set reached = (select array_agg(known + more order by step) from unnest(s.reached, excluded.reached) with ordinality as both_of (known, more, step)),
            went_on = (select array_agg(known + more order by step) from unnest(s.went_on, excluded.went_on) with ordinality as both_of (known, more, step))`,
    {
      forms: counts.map(({ formId }) => formId),
      outlines: counts.map(({ outline }) => outline),
      quarters: counts.map(({ quarter }) => quarter),
      reached: arrays(({ reached }) => reached),
      wentOn: arrays(({ wentOn }) => wentOn),
    },
  );
}

/** The most counts that one request adds up: those of a form with 100 pages that was filled in in every quarter of an hour for more than half a year. */
const maxCounts = 2_000_000;

/**
 * The counts of all these days together, for each step that has any, by its place from 0 on.
 * @param form how many steps it has
 * @returns undefined if there are too many counts to add them up
 */
export async function stepsOfDays(
  db: Database,
  { id: formId, outline, steps }: { id: string; outline: string; steps: number },
  days: readonly Day[],
  max = maxCounts,
): Promise<Map<number, StepCounts> | undefined> {
  const wanted = { formId, outline, first: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 };
  const maxRows = Math.floor(max / steps);
  const [found] = await readOf<{ many: boolean }>(
    db,
    `select count(*) > :maxRows as many from (
       select from step_count where form_id = :formId and outline = :outline and quarter >= :first and quarter < :end limit :maxRows + 1) as of_days`,
    { ...wanted, maxRows },
  );
  if (found?.many === true) return undefined;
  const rows = await readOf<{ step: number; reached: number; went_on: number }>(
    db,
    `select counted.step::bigint - 1 as step, sum(counted.reached)::bigint as reached, sum(counted.went_on)::bigint as went_on
       from step_count cross join lateral unnest(step_count.reached, step_count.went_on) with ordinality as counted (reached, went_on, step)
      where form_id = :formId and outline = :outline and quarter >= :first and quarter < :end group by counted.step`,
    wanted,
  );
  return new Map(rows.map(({ step, reached, went_on: wentOn }) => [step, { reached, wentOn }]));
}
