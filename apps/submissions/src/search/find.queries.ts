import { exactTime, readOf, type Database } from '@sheaf/postgres';
import { isIn } from './chunks.queries';

// Finds submissions of a form, by default those that are neither in the trash nor spam. Every statement reads at most as many rows as a budget allows: see
// docs/decisions/0040-searching-answers.md.

/** Entries that a request may read one after another. */
export const walkBudget = 16_384;
/** Entries that a search reads before it asks the index: enough for a page of what every tenth submission has. */
export const firstWalk = 512;
/** Chunks that a request may read, which have up to 256 entries each. */
export const chunkBudget = 64;
/** Answers in a range that a request may put in order. */
export const rangeBudget = 5_000;

/** A place in the order of a list. */
export interface Place {
  /** Printed by `exactTime`. */
  created: string;
  id: string;
}

/** Where a page ends in a list that is ordered by an answer. */
export interface NumberPlace extends Place {
  number: number;
}

/** Answers of a field between two numbers; the bounds that are not included are moved by the smallest step. */
export interface Range {
  key: string;
  from: number;
  to: number;
}

export interface Filter {
  formId: string;
  /** A tsquery without negations: what a submission must have. */
  terms: string | undefined;
  /** A tsquery without negations: what it must not have. */
  lacking: string | undefined;
  ranges: readonly Range[];
  statuses: readonly string[] | undefined;
  assignee: string | undefined;
  /** ISO 8601; included. */
  from: string | undefined;
  /** Not included. */
  to: string | undefined;
  /** Included; submissions that arrived or changed. Only for their order by that time. */
  changedSince: string | undefined;
  /** Also in the trash and among spam. Only for searches by terms, in the order of arrival. */
  isAnywhere?: boolean;
}

export type Direction = 'asc' | 'desc';

export interface Slice<P extends Place = Place> {
  direction: Direction;
  after: P | undefined;
  limit: number;
}

/** The submissions of some statuses or of somebody, or all. */
export function fromList(db: Database, filter: Filter, slice: Slice): Promise<Place[]> {
  const by = orderBy(slice, 'created_at', 'id');
  const { statuses, assignee } = filter;
  const listed = `select id, created_at, status from submission where ${inList(filter)} and ${within(slice, 'created_at', 'id')}`;
  // One after another, each from its index, as one scan of several statuses would be in no order.
  const each =
    statuses !== undefined && assignee === undefined
      ? `select found.* from unnest(cast(:statuses as text[])) as one (status)
          cross join lateral (${listed} and submission.status = one.status order by ${by} limit :limit) as found`
      : `select * from (${listed} order by ${by} limit :budget) as walked ${statuses === undefined ? '' : 'where status = any(:statuses)'}`;
  return readOf(db, `select id, ${exactTime('created_at')} as created from (${each}) as found order by ${by} limit :limit`, {
    ...bindings(filter, slice),
    budget: walkBudget,
  });
}

/** The place of the last submission that `fromList` reads, if there are as many as the budget. */
export async function endOfList(db: Database, filter: Filter, slice: Slice): Promise<Place | undefined> {
  const [end] = await readOf<Place>(
    db,
    `select id, ${exactTime('created_at')} as created from submission
      where ${inList(filter)} and ${within(slice, 'created_at', 'id')}
      order by ${orderBy(slice, 'created_at', 'id')} limit 1 offset :last`,
    { ...bindings(filter, slice), last: walkBudget - 1 },
  );
  return end;
}

/** All entries, or those that are in no chunk yet. */
export type Which = 'all' | 'loose';

/** Reads entries one after another. */
export function fromEntries(db: Database, filter: Filter, slice: Slice, which: Which, budget = walkBudget): Promise<Place[]> {
  return readOf(
    db,
    `${lowest(slice, which)}
     select s.id, ${exactTime('e.created_at')} as created
       from (${entriesAfter(slice, which)} limit :budget) as e
      cross join lateral (${submissionOf('e', filter)}) as s
      where ${matches('e', filter)}
      order by ${orderBy(slice, 'e.created_at', 'e.submission_id')} limit :limit`,
    { ...bindings(filter, slice), budget },
  );
}

/** The place of the last entry that `fromEntries` reads, if there are as many as the budget. */
export async function endOfEntries(db: Database, filter: Filter, slice: Slice, which: Which): Promise<Place | undefined> {
  const [end] = await readOf<Place>(
    db,
    `${lowest(slice, which)}
     select submission_id as id, ${exactTime('created_at')} as created from (${entriesAfter(slice, which)} limit 1 offset :last) as e`,
    { ...bindings(filter, slice), last: walkBudget - 1 },
  );
  return end;
}

/** Reads the entries of the next chunks that have all of the terms. */
export function fromChunks(db: Database, filter: Filter, slice: Slice): Promise<Place[]> {
  const by = orderBy(slice, 'e.created_at', 'e.submission_id');
  return readOf(
    db,
    `${chunksWith(slice)}
     select found.id, ${exactTime('found.created_at')} as created
       from (select * from chunks limit ${chunkBudget}) as c
      cross join lateral (
        select e.created_at, s.id
          -- With its own limit, so that only this chunk is read, whatever the planner expects.
          from (select * from search_entry e where ${isIn('e', 'c')} order by ${by} limit ${walkBudget}) as e
         cross join lateral (${submissionOf('e', filter)}) as s
         where ${within(slice, 'e.created_at', 'e.submission_id')} and ${matches('e', filter)}
         order by ${by} limit :limit
      ) as found
      -- In order already, chunk by chunk. An ORDER BY would read all chunks before it returned the first submission.
      limit :limit`,
    bindings(filter, slice),
  );
}

/** The place of the last entry of the chunks that `fromChunks` reads, if there are as many as the budget. */
export async function endOfChunks(db: Database, filter: Filter, slice: Slice): Promise<Place | undefined> {
  const backwards = { ...slice, direction: slice.direction === 'desc' ? 'asc' : 'desc' } as const;
  const [end] = await readOf<Place>(
    db,
    `${chunksWith(slice)}
     select last.submission_id as id, ${exactTime('last.created_at')} as created
       from (select * from chunks limit 1 offset :last) as c
      cross join lateral (
        select * from search_entry e where ${isIn('e', 'c')} order by ${orderBy(backwards, 'e.created_at', 'e.submission_id')} limit 1
      ) as last`,
    { ...bindings(filter, slice), last: chunkBudget - 1 },
  );
  return end;
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
      cross join lateral (${entryOf('n')}) as e
      cross join lateral (${submissionOf('e', filter)}) as s
      where ${matches('e', filter)} and e.created_at >= cast(:since as timestamptz) and e.created_at < cast(:until as timestamptz)
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

const inList = ({ assignee }: Filter): string =>
  `form_id = :formId and deleted_at is null and spam_at is null ${assignee === undefined ? '' : 'and assignee = :assignee'}`;

const place = 'cast(:created as timestamptz), cast(:id as uuid)';
const end = 'cast(:endCreated as timestamptz), cast(:endId as uuid)';

/**
 * SQL condition: after the last page, and in time. One bound on each side, as PostgreSQL begins an index scan at any one of several bounds,
 * not at the closest.
 */
export const within = ({ direction }: Slice, created: string, id: string): string =>
  direction === 'desc'
    ? `(${created}, ${id}) < (${place}) and (${created}, ${id}) > (${end})`
    : `(${created}, ${id}) > (${place}) and (${created}, ${id}) < (${end})`;

export const orderBy = ({ direction }: Slice, created: string, id: string): string => `${created} ${direction}, ${id} ${direction}`;

/** The lower bound of loose entries: the end of the last chunk, or the page's own. */
const lowest = ({ direction }: Slice, which: Which): string => {
  if (which === 'all') return '';
  const own = direction === 'desc' ? end : place;
  return `with lowest as materialized (
    select created_at, id from (
      (select created_at, id from search_chunk where form_id = :formId order by number desc limit 1)
      union all values (${own})
    ) as bound (created_at, id) order by created_at desc, id desc limit 1
  )`;
};

const entriesAfter = (slice: Slice, which: Which): string => {
  const [low, high] = slice.direction === 'desc' ? [end, place] : [place, end];
  return `select * from search_entry
           where form_id = :formId and (created_at, submission_id) < (${high})
             and (created_at, submission_id) > (${which === 'all' ? low : '(select created_at from lowest), (select id from lowest)'})
           order by ${orderBy(slice, 'created_at', 'submission_id')}`;
};

// `offset 0` keeps the planner from joining whole tables: it cannot know how few rows the page needs.

const entryOf = (number: string): string =>
  `select * from search_entry
    where (form_id, created_at, submission_id) = (:formId, ${number}.created_at, ${number}.submission_id) offset 0`;

const submissionOf = (entry: string, { isAnywhere = false }: Filter): string =>
  `select id, status, assignee from submission where id = ${entry}.submission_id ${isAnywhere ? '' : 'and deleted_at is null and spam_at is null'} offset 0`;

/** SQL condition: the entry and its submission `s` are what is sought. */
export const matches = (entry: string, { terms, lacking, ranges, statuses, assignee }: Filter): string =>
  [
    'true',
    ...(terms === undefined ? [] : [`${entry}.terms @@ cast(:terms as tsquery)`]),
    ...(lacking === undefined ? [] : [`not ${entry}.terms @@ cast(:lacking as tsquery)`]),
    ...ranges.map(
      (_, n) => `${entry}.numbers[array_position(${entry}.keys, :key${n})] between cast(:from${n} as float8) and cast(:to${n} as float8)`,
    ),
    ...(statuses === undefined ? [] : ['s.status = any(:statuses)']),
    ...(assignee === undefined ? [] : ['s.assignee = :assignee']),
  ].join(' and ');

/** The chunks that may have what is sought, in order. */
const chunksWith = (slice: Slice): string =>
  `with chunks as (
     select c.* from search_chunks_with(:formId, cast(:terms as tsquery), ${String(slice.direction === 'desc')}, ${place}, ${chunkBudget}) as found (number)
       join search_chunk c on c.form_id = :formId and c.number = found.number
      where ${
        slice.direction === 'desc'
          ? `(c.after_created_at, c.after_id) < (${place}) and (c.created_at, c.id) > (${end})`
          : `(c.created_at, c.id) > (${place}) and (c.after_created_at, c.after_id) < (${end})`
      }
      order by c.number ${slice.direction}
   )`;

const numbersAfter = ({ direction }: Slice, { ranges }: Filter, key: string): string => {
  const isBounded = ranges.some((range) => range.key === key);
  return `select number, created_at, submission_id from search_number
           where form_id = :formId and key = :key and (number, created_at, submission_id) ${direction === 'desc' ? '<' : '>'} (cast(:number as float8), ${place})
             ${isBounded ? `and number ${direction === 'desc' ? '>= cast(:low as float8)' : '<= cast(:high as float8)'}` : ''}
           order by number ${direction}, created_at ${direction}, submission_id ${direction}`;
};

const first = '00000000-0000-0000-0000-000000000000';
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where a list starts and ends. No submission has the first id, so `from` is included and `to` is not. */
function boundsOf({ from = '-infinity', to = 'infinity' }: Filter, direction: Direction) {
  const low = { created: from, id: first };
  const high = { created: to, id: to === 'infinity' ? last : first };
  return direction === 'desc' ? { start: high, end: low } : { start: low, end: high };
}

export function bindings(filter: Filter, { after, direction, limit }: Slice): Record<string, string | number | string[] | null> {
  const { start, end } = boundsOf(filter, direction);
  const { created, id } = after ?? start;
  return {
    formId: filter.formId,
    terms: filter.terms ?? null,
    lacking: filter.lacking ?? null,
    statuses: filter.statuses === undefined ? null : [...filter.statuses],
    assignee: filter.assignee ?? null,
    since: filter.from ?? '-infinity',
    until: filter.to ?? 'infinity',
    limit,
    created,
    id,
    endCreated: end.created,
    endId: end.id,
    ...Object.fromEntries<string | number>(
      filter.ranges.flatMap(({ key, from, to }, n): [string, string | number][] => [
        [`key${n}`, key],
        [`from${n}`, from],
        [`to${n}`, to],
      ]),
    ),
  };
}

/** The place before the first answer, and the bounds of a range of the same answers. */
function numberBindings({ ranges }: Filter, { after, direction }: Slice<NumberPlace>, key: string) {
  const { from: low = 0, to: high = 0 } = ranges.find((each) => each.key === key) ?? {};
  const isBounded = ranges.some((each) => each.key === key);
  const start =
    direction === 'desc'
      ? { number: isBounded ? high : Infinity, created: 'infinity', id: last }
      : { number: isBounded ? low : -Infinity, created: '-infinity', id: first };
  const { number, created, id } = after ?? start;
  return { key, number, created, id, low, high };
}
