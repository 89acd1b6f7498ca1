import { exactTime, readOf, type Database } from '@sheaf/postgres';
import { sectionMark, type Filter } from './filter';
import {
  arrivalsIn,
  bindings,
  entriesAfter,
  entryOf,
  facts,
  hasFacts,
  hasOtherFacts,
  inList,
  matches,
  needsEntry,
  numberBindings,
  numbersAfter,
  orderBy,
  submissionOf,
  within,
} from './find-clauses';
import { isListed } from './found.queries';
import type { Hit, NumberPlace, Place, Slice } from './slice';

// Finds submissions of a form, by default those that are neither in the trash nor spam. Every statement reads at most as many rows as a budget
// allows: see docs/decisions/0040-searching-answers.md.

/** Entries that a request may read one after another. */
export const walkBudget = 16_384;
/** Entries that a search reads before it asks the index: enough for a page of 25 of what every twelfth submission has. */
export const firstWalk = 320;
/** Answers in a range that a request may put in order. */
export const rangeBudget = 5_000;

/** The submissions of some statuses or of somebody, those with other facts, or all. */
export function fromList(db: Database, filter: Filter, slice: Slice): Promise<Place[]> {
  const by = orderBy(slice, 'created_at', 'id');
  const { statuses, assignee, isUnassigned = false } = filter;
  const listed = `select ${facts} from submission where ${inList(filter)} and ${within(slice, 'created_at', 'id')}`;
  // One after another, each from its index, as one scan of several statuses would be in no order.
  const each =
    statuses !== undefined && assignee === undefined && !isUnassigned && !hasOtherFacts(filter)
      ? `select found.* from unnest(cast(:statuses as text[])) as one (status)
          cross join lateral (${listed} and submission.status = one.status order by ${by} limit :limit) as found`
      : `select * from (${walked(filter, slice, facts)} limit :budget) as walked
          where ${isListed('walked', filter)} and ${hasFacts('walked', filter)} ${assignee === undefined ? '' : 'and assignee = :assignee'}`;
  return readOf(db, `select id, ${exactTime('created_at')} as created from (${each}) as found order by ${by} limit :limit`, {
    ...bindings(filter, slice),
    budget: walkBudget,
  });
}

const walked = (filter: Filter, slice: Slice, columns: string): string =>
  filter.areas === undefined
    ? `select ${columns} from submission where ${inList(filter)} and ${within(slice, 'created_at', 'id')} order by ${orderBy(slice, 'created_at', 'id')}`
    : arrivalsIn(filter, slice, columns);

/** The place of the last submission that `fromList` reads, if there are as many as the budget. */
export async function endOfList(db: Database, filter: Filter, slice: Slice): Promise<Place | undefined> {
  const [end] = await readOf<Place>(
    db,
    `select id, ${exactTime('created_at')} as created from (${walked(filter, slice, 'id, created_at')} limit 1 offset :last) as walked`,
    { ...bindings(filter, slice), last: walkBudget - 1 },
  );
  return end;
}

/** Reads up to `budget` entries one after another. */
export const fromEntries = (db: Database, filter: Filter, slice: Slice, budget: number): Promise<Hit[]> =>
  readOf(
    db,
    `select * from (
       (select s.id, ${exactTime('e.created_at')} as created, true as "isFound", false as "isEnd"
          from (${entriesAfter(slice)} limit ${budget}) as e
         cross join lateral (${submissionOf('e', filter)}) as s
         where ${matches('e', filter)}
         order by ${orderBy(slice, 'e.created_at', 'e.submission_id')})
       union all
       -- Only if the page is not full by then.
       (select submission_id, ${exactTime('created_at')}, false, true from (${entriesAfter(slice)} limit 1 offset ${budget - 1}) as e)
     ) as hits limit :limit`,
    bindings(filter, slice),
  );

/** How many of the next entries have each of the terms that the index is asked for. */
export async function countTerms(db: Database, filter: Filter, slice: Slice): Promise<number[]> {
  const counts = filter.indexed.map((_, n) => `cast(count(*) filter (where terms @@ cast(:term${n} as tsquery)) as int)`);
  const [row] = await readOf<{ counts: number[] }>(
    db,
    `select array[${counts.join(', ')}] as counts from (${entriesAfter(slice)} limit ${firstWalk}) as e`,
    {
      ...bindings(filter, slice),
      ...Object.fromEntries(filter.indexed.map(({ term }, n) => [`term${n}`, term.replaceAll(sectionMark, '')])),
    },
  );
  return row?.counts ?? [];
}

/** The submissions with an answer in the first range. Undefined if there are more than the budget allows. */
export async function fromRange(db: Database, filter: Filter, slice: Slice): Promise<Place[] | undefined> {
  const [range] = filter.ranges;
  const rows = await readOf<{ candidates: number; id: string | null; created: string }>(
    db,
    `with candidates as materialized (
       select created_at, submission_id from search_number
        where form_id = :formId and key = :key and number between :low and :high limit :budget + 1
     )
     select counted.candidates, found.id, ${exactTime('found.created_at')} as created
       from (select count(*)::int as candidates from candidates) as counted
       left join lateral (
         select s.id, e.created_at
           from (select * from candidates
                  where counted.candidates <= :budget and ${within(slice, 'created_at', 'submission_id')}
                  order by ${orderBy(slice, 'created_at', 'submission_id')} limit :budget) as n
          cross join lateral (${entryOf('n')}) as e
          cross join lateral (${submissionOf('e', filter)}) as s
          where ${matches('e', filter)}
          -- In order already; an ORDER BY would look up all candidates before the first.
          limit :limit
       ) as found on true`,
    { ...bindings(filter, slice), key: range?.key ?? '', low: range?.from ?? 0, high: range?.to ?? 0, budget: rangeBudget },
  );
  if ((rows[0]?.candidates ?? 0) > rangeBudget) return undefined;
  return rows.flatMap(({ id, created }) => (id === null ? [] : [{ id, created }]));
}

/** The submissions with an answer to a field, in the order of those answers. */
export function fromNumbers(db: Database, filter: Filter, slice: Slice<NumberPlace>, key: string): Promise<NumberPlace[]> {
  const { direction } = slice;
  return readOf(
    db,
    `select s.id, ${exactTime('n.created_at')} as created, n.number
       from (${numbersAfter(slice, filter, key)} limit :budget) as n
      ${needsEntry(filter) ? `cross join lateral (${entryOf('n')}) as e` : ''}
      cross join lateral (${submissionOf('n', filter)}) as s
      where ${matches('e', filter)} and n.created_at >= cast(:since as timestamptz) and n.created_at < cast(:until as timestamptz)
      order by n.number ${direction}, ${orderBy(slice, 'n.created_at', 'n.submission_id')} limit :limit`,
    { ...bindings(filter, slice), ...numberBindings(filter, slice, key), budget: walkBudget },
  );
}

/** The place of the last answer that `fromNumbers` reads, if there are as many as the budget. */
export async function endOfNumbers(db: Database, filter: Filter, slice: Slice<NumberPlace>, key: string): Promise<NumberPlace | undefined> {
  const [end] = await readOf<NumberPlace>(
    db,
    `select submission_id as id, ${exactTime('created_at')} as created, number from (${numbersAfter(slice, filter, key)} limit 1 offset :last) as n`,
    { ...bindings(filter, slice), ...numberBindings(filter, slice, key), last: walkBudget - 1 },
  );
  return end;
}

/** Everybody who takes care of a listed submission of the form, one look at the index for each. */
export async function assigneesOf(db: Database, formId: string): Promise<string[]> {
  const listed = 'form_id = :formId and assignee is not null and deleted_at is null and spam_at is null';
  const rows = await readOf<{ assignee: string }>(
    db,
    `with recursive person as (
       (select assignee from submission where ${listed} order by assignee limit 1)
       union all
       select (select assignee from submission where ${listed} and assignee > person.assignee order by assignee limit 1)
         from person where person.assignee is not null
     )
     select assignee from person where assignee is not null`,
    { formId },
  );
  return rows.map(({ assignee }) => assignee);
}
