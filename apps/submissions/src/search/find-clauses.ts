import { exactTime } from '@sheaf/postgres';
import { sectionMark, type Filter, type Test } from './filter';
import { isListed } from './found.queries';
import type { Direction, NumberPlace, Slice } from './slice';

// The parts of the statements that find submissions: conditions, orders, what they read, and their values.

export const inList = ({ assignee }: Filter): string =>
  `form_id = :formId and deleted_at is null and spam_at is null ${assignee === undefined ? '' : 'and assignee = :assignee'}`;

const isApart = '(deleted_at is not null or spam_at is not null)';

/**
 * SQL for the next submissions of the areas that are sought, in the order of arrival, and possibly of another area. One index has those in the
 * list and another one those apart. With both, each is read only as far as the page needs.
 */
export function arrivalsIn({ areas = ['list'] }: Filter, slice: Slice, columns: string): string {
  const hasApart = areas.some((area) => area !== 'list');
  const parts = [...(areas.includes('list') ? ['deleted_at is null and spam_at is null'] : []), ...(hasApart ? [isApart] : [])].map(
    (part) =>
      `(select ${columns} from submission where form_id = :formId and ${part} and ${within(slice, 'created_at', 'id')}
         order by ${orderBy(slice, 'created_at', 'id')})`,
  );
  return `select * from (${parts.join(' union all ')}) as arrivals order by ${orderBy(slice, 'created_at', 'id')}`;
}

/** The place at which a page starts; not included. */
export const startPlace = 'cast(:created as timestamptz), cast(:id as uuid)';
/** The place at which the list ends; not included. */
export const endPlace = 'cast(:endCreated as timestamptz), cast(:endId as uuid)';

/**
 * SQL condition: after the last page, and in time. One bound on each side, as PostgreSQL begins an index scan at any one of several bounds,
 * not at the closest.
 */
export const within = ({ direction }: Slice, created: string, id: string): string =>
  direction === 'desc'
    ? `(${created}, ${id}) < (${startPlace}) and (${created}, ${id}) > (${endPlace})`
    : `(${created}, ${id}) > (${startPlace}) and (${created}, ${id}) < (${endPlace})`;

export const orderBy = ({ direction }: Slice, created: string, id: string): string => `${created} ${direction}, ${id} ${direction}`;

export const entriesAfter = (slice: Slice): string =>
  `select * from search_entry where form_id = :formId and ${within(slice, 'created_at', 'submission_id')}
    order by ${orderBy(slice, 'created_at', 'submission_id')}`;

// `offset 0` keeps the planner from joining whole tables: it cannot know how few rows the page needs.

export const entryOf = (number: string): string =>
  `select * from search_entry
    where (form_id, created_at, submission_id) = (:formId, ${number}.created_at, ${number}.submission_id) offset 0`;

/** By its id alone, as an index of the list might otherwise seem to fit while the table is small. */
export const submissionOf = (entry: string, filter: Filter): string =>
  `select * from (select ${facts} from submission where id = ${entry}.submission_id offset 0) as s
    where ${isListed('s', filter)}`;

/** The columns of a submission that conditions may be about. */
export const facts = 'id, status, assignee, schema_version, language, created_at, deleted_at, spam_at';

/** Whether the terms or numbers of an entry decide. */
export const needsEntry = ({ terms, lacking, ranges, withoutNumber, anyOf = [] }: Filter): boolean =>
  terms !== undefined ||
  lacking !== undefined ||
  ranges.length > 0 ||
  withoutNumber !== undefined ||
  anyOf.some((tests) => isDecided(tests) && !tests.every(isOfSubmission));

/** Whether the index and the columns of a submission tell if one of the tests is met. */
export const isDecided = (tests: readonly Test[]): boolean => tests.every(({ by }) => by !== 'text');

const isOfSubmission = ({ by }: Test): boolean => by === 'version' || by === 'language' || by === 'arrival';

/** SQL conditions: one of the tests is met, for each list of them that is decided, and that needs no entry unless there is one. */
const meetsAny = (submission: string, entry: string | undefined, { anyOf = [] }: Filter): string[] =>
  anyOf.flatMap((tests, n) => {
    const isWithoutEntry = tests.every(isOfSubmission);
    if (!isDecided(tests) || isWithoutEntry !== (entry === undefined)) return [];
    return `(${tests.map((test, m) => testSql(test, `any${n}x${m}`, submission, entry ?? submission)).join(' or ')})`;
  });

function testSql(test: Test, name: string, submission: string, entry: string): string {
  switch (test.by) {
    case 'terms':
      return `${entry}.terms @@ cast(:${name} as tsquery)`;
    case 'lacking':
      return `not ${entry}.terms @@ cast(:${name} as tsquery)`;
    case 'range':
      return `${entry}.numbers[array_position(${entry}.keys, :${name})] between cast(:${name}from as float8) and cast(:${name}to as float8)`;
    case 'version':
      return `${submission}.schema_version ${test.isNegated ? '<> all' : '= any'}(cast(:${name} as int[]))`;
    case 'language':
      // A language has those of its regions and scripts, as in basic filtering of RFC 4647.
      return `${test.isNegated ? 'not ' : ''}exists (select from unnest(cast(:${name} as text[])) as wanted
        where starts_with(lower(coalesce(${submission}.language, 'und')) || '-', wanted || '-'))`;
    case 'arrival':
      return `(${submission}.created_at >= cast(:${name}from as timestamptz) and ${submission}.created_at < cast(:${name}to as timestamptz))`;
    case 'text':
      throw new Error('no index decides on parts of texts');
  }
}

function testBindings(test: Test, name: string): [string, string | number | string[]][] {
  switch (test.by) {
    case 'terms':
    case 'lacking':
      return [[name, test.terms.replaceAll(sectionMark, '')]];
    case 'range':
      return [
        [name, test.range.key],
        [`${name}from`, test.range.from],
        [`${name}to`, test.range.to],
      ];
    case 'version':
    case 'language':
      return [[name, [...test.values]]];
    case 'arrival':
      return [
        [`${name}from`, test.span.from],
        [`${name}to`, test.span.to],
      ];
    case 'text':
      return [];
  }
}

/** SQL condition: the entry has the terms and numbers that are sought. */
export const hasSought = (entry: string, { terms, lacking, ranges, withoutNumber }: Filter): string =>
  [
    'true',
    ...(terms === undefined ? [] : [`${entry}.terms @@ cast(:terms as tsquery)`]),
    ...(lacking === undefined ? [] : [`not ${entry}.terms @@ cast(:lacking as tsquery)`]),
    ...(withoutNumber === undefined ? [] : [`array_position(${entry}.keys, cast(:withoutNumber as text)) is null`]),
    ...ranges.map(
      (_, n) => `${entry}.numbers[array_position(${entry}.keys, :key${n})] between cast(:from${n} as float8) and cast(:to${n} as float8)`,
    ),
  ].join(' and ');

/** SQL condition: the entry and its submission `s` are what is sought. */
export const matches = (entry: string, filter: Filter): string =>
  [
    hasSought(entry, filter),
    ...(filter.assignee === undefined ? [] : ['s.assignee = :assignee']),
    hasFacts('s', filter),
    ...meetsAny('s', entry, filter),
  ].join(' and ');

/** SQL condition: the submission has the facts that are sought and that no index of the list begins with. */
export const hasFacts = (submission: string, filter: Filter): string =>
  [
    'true',
    ...(filter.statuses === undefined ? [] : [`${submission}.status = any(:statuses)`]),
    ...(filter.isUnassigned === true ? [`${submission}.assignee is null`] : []),
    ...meetsAny(submission, undefined, filter),
  ].join(' and ');

/** Whether some of those conditions are about neither the status nor the person in charge, so that no index of the list has what meets them. */
export const hasOtherFacts = ({ areas, anyOf = [] }: Filter): boolean =>
  areas !== undefined || anyOf.some((tests) => isDecided(tests) && tests.every(isOfSubmission));

/**
 * SQL for the `Hit`s among entries that are in order and have a `place`, from 1 to the budget: those that are what is sought, and the last one
 * that may be read.
 */
export const hitsAmong = (entries: string, filter: Filter, budget: number): string =>
  `select e.submission_id as id, ${exactTime('e.created_at')} as created, s.id is not null as "isFound", e.place = ${budget} as "isEnd"
     from (select * from (${entries}) as e where ${hasSought('e', filter)} or place = ${budget}) as e
     left join lateral (
       select id from (${submissionOf('e', filter)}) as s where ${matches('e', filter)} offset 0
     ) as s on true
    where s.id is not null or e.place = ${budget}
    limit :limit`;

export const numbersAfter = ({ direction }: Slice, { ranges }: Filter, key: string): string => {
  const isBounded = ranges.some((range) => range.key === key);
  return `select number, created_at, submission_id from search_number
           where form_id = :formId and key = :key and (number, created_at, submission_id) ${direction === 'desc' ? '<' : '>'} (cast(:number as float8), ${startPlace})
             ${isBounded ? `and number ${direction === 'desc' ? '>= cast(:low as float8)' : '<= cast(:high as float8)'}` : ''}
           order by number ${direction}, created_at ${direction}, submission_id ${direction}`;
};

const first = '00000000-0000-0000-0000-000000000000';
/** No submission has it. */
export const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The places at which a list starts and ends. No submission has the first id, so `from` is included and `to` is not. */
function boundsOf({ from = '-infinity', to = 'infinity' }: Filter, direction: Direction) {
  const low = { created: from, id: first };
  const high = { created: to, id: to === 'infinity' ? lastId : first };
  return direction === 'desc' ? { start: high, end: low } : { start: low, end: high };
}

export function bindings(filter: Filter, { after, direction, limit }: Slice): Record<string, string | number | string[] | null> {
  const { start, end } = boundsOf(filter, direction);
  const { created, id } = after ?? start;
  return {
    formId: filter.formId,
    terms: filter.terms?.replaceAll(sectionMark, '') ?? null,
    termsInSection: filter.indexed.map(({ term }) => `(${term})`).join(' & '),
    lacking: filter.lacking ?? null,
    statuses: filter.statuses === undefined ? null : [...filter.statuses],
    assignee: filter.assignee ?? null,
    withoutNumber: filter.withoutNumber ?? null,
    since: filter.from ?? '-infinity',
    until: filter.to ?? 'infinity',
    limit,
    created,
    id,
    endCreated: end.created,
    endId: end.id,
    ...Object.fromEntries((filter.anyOf ?? []).flatMap((tests, n) => tests.flatMap((test, m) => testBindings(test, `any${n}x${m}`)))),
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
      ? { number: isBounded ? high : Infinity, created: 'infinity', id: lastId }
      : { number: isBounded ? low : -Infinity, created: '-infinity', id: first };
  const { number, created, id } = after ?? start;
  return { key, number, created, id, low, high };
}
