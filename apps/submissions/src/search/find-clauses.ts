import type { Filter } from './filter';
import type { Direction, NumberPlace, Slice } from './slice';

// The parts of the statements that find submissions: conditions, orders, what they read, and their values.

/** All entries, or those that are in no chunk yet. */
export type Which = 'all' | 'loose';

export const inList = ({ assignee }: Filter): string =>
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
export const lowest = ({ direction }: Slice, which: Which): string => {
  if (which === 'all') return '';
  const own = direction === 'desc' ? end : place;
  return `with lowest as materialized (
    select created_at, id from (
      (select created_at, id from search_chunk where form_id = :formId order by number desc limit 1)
      union all values (${own})
    ) as bound (created_at, id) order by created_at desc, id desc limit 1
  )`;
};

export const entriesAfter = (slice: Slice, which: Which): string => {
  const [low, high] = slice.direction === 'desc' ? [end, place] : [place, end];
  return `select * from search_entry
           where form_id = :formId and (created_at, submission_id) < (${high})
             and (created_at, submission_id) > (${which === 'all' ? low : '(select created_at from lowest), (select id from lowest)'})
           order by ${orderBy(slice, 'created_at', 'submission_id')}`;
};

// `offset 0` keeps the planner from joining whole tables: it cannot know how few rows the page needs.

export const entryOf = (number: string): string =>
  `select * from search_entry
    where (form_id, created_at, submission_id) = (:formId, ${number}.created_at, ${number}.submission_id) offset 0`;

export const submissionOf = (entry: string, { isAnywhere = false }: Filter): string =>
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
export const chunksWith = (slice: Slice, most: number): string =>
  `with chunks as (
     select c.* from search_chunks_with(:formId, cast(:terms as tsquery), ${String(slice.direction === 'desc')}, ${place}, ${most}) as found (number)
       join search_chunk c on c.form_id = :formId and c.number = found.number
      where ${
        slice.direction === 'desc'
          ? `(c.after_created_at, c.after_id) < (${place}) and (c.created_at, c.id) > (${end})`
          : `(c.created_at, c.id) > (${place}) and (c.after_created_at, c.after_id) < (${end})`
      }
      order by c.number ${slice.direction}
   )`;

export const numbersAfter = ({ direction }: Slice, { ranges }: Filter, key: string): string => {
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
export function numberBindings({ ranges }: Filter, { after, direction }: Slice<NumberPlace>, key: string) {
  const { from: low = 0, to: high = 0 } = ranges.find((each) => each.key === key) ?? {};
  const isBounded = ranges.some((each) => each.key === key);
  const start =
    direction === 'desc'
      ? { number: isBounded ? high : Infinity, created: 'infinity', id: last }
      : { number: isBounded ? low : -Infinity, created: '-infinity', id: first };
  const { number, created, id } = after ?? start;
  return { key, number, created, id, low, high };
}
