import { saysIn, soughtIn, wordsOf, type AnswerFilter } from '@sheaf/contracts';
import { rowsOf } from '@sheaf/postgres';
import { countRowsRead, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { readConditions, type Filter } from '../src/search/filter';
import { inOrderOf, inOrderOfChange, inTime, type Found } from '../src/search/find-places';
import { fromIndex } from '../src/search/indexed.queries';
import { indexWaiting, searchBlocks } from '../src/search/search-index';
import type { Place } from '../src/search/slice';
import { comparable } from '../src/search/terms';
import { Started } from './started';
import { statuses } from './started-with-lists';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

const never = new AbortController().signal;
const words = ['ada', 'adam', 'lovelace', 'Ångström', 'engine', 'note', '東京', 'common'];

interface Stored {
  id: string;
  created_at: Date;
  changed_at: Date | null;
  status: string;
  data: Record<string, unknown>;
  words: ReadonlySet<string>;
}

/** Submissions, several per moment, of which some answers are rare. */
async function submissions(count: number, form = started.aForm()): Promise<{ form: string; stored: Stored[] }> {
  const now = started.clock.now().getTime();
  const { db, instanceId } = started;
  await rowsOf(
    db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at, deleted_at, spam_at, changed_at)
     select gen_random_uuid(), ?, ?, cast(s.data as json), 1, s.status, s.created_at, now(), s.deleted_at, s.spam_at, s.changed_at
       from json_to_recordset(cast(? as json))
         as s (data text, status text, created_at timestamptz, deleted_at timestamptz, spam_at timestamptz, changed_at timestamptz)`,
    [
      instanceId,
      form,
      JSON.stringify(
        Array.from({ length: count }, (_, n) => ({
          data: JSON.stringify({
            name: `${words[n % 7] ?? ''} ${n % 3 === 0 ? 'common' : ''} ${n % 701 === 5 ? 'rare' : ''} x${n}`,
            age: (n * 7) % 90,
            ...(n % 4 === 0 ? { born: `19${String(10 + (n % 89))}-0${1 + (n % 9)}-11` } : {}),
            colours: n % 5 === 0 ? ['Red', 'Blue'] : ['Green'],
          }),
          status: statuses[n % 4],
          created_at: new Date(now - 3_600_000 - Math.floor(n / 3) * 7_000),
          deleted_at: n % 50 === 7 ? new Date(now) : null,
          spam_at: n % 60 === 9 ? new Date(now) : null,
          changed_at: n % 50 === 7 || n % 60 === 9 || n % 3 === 1 ? new Date(now - 3_600_000 - ((n * 577) % 500) * 7_000) : null,
        })),
      ),
    ],
  );
  const rows = await rowsOf<Omit<Stored, 'words'>>(
    db,
    'select id, created_at, changed_at, status, data from submission where form_id = ? and deleted_at is null and spam_at is null',
    [form],
  );
  return {
    form,
    stored: rows.map((row) => ({
      ...row,
      words: new Set(
        Object.values(row.data)
          .flat()
          .flatMap((answer) => wordsOf(String(answer))),
      ),
    })),
  };
}

/** All pages of a search. */
async function allOf(filter: Filter, { direction, limit, sortKey: key }: Pick<Query, 'direction' | 'sortKey'> & { limit: number }) {
  const ids: string[] = [];
  let after: (Place & { number: number }) | undefined;
  do {
    const slice = { direction, limit, after };
    const find = () => {
      if (key === 'updated') return inOrderOfChange(started.db, filter, slice);
      return key === undefined ? inTime(started.db, filter, slice, () => undefined) : inOrderOf(started.db, filter, slice, key);
    };
    const { places, next }: Found = await find();
    expect(places.length).toBeLessThanOrEqual(limit);
    ids.push(...places.map(({ id }) => id));
    after = next && { number: 0, ...next };
  } while (after);
  return ids;
}

/** The same by reading everything. */
function expected(stored: readonly Stored[], query: Query): string[] {
  const sign = query.direction === 'asc' ? 1 : -1;
  const changed = ({ changed_at, created_at }: Stored) => (changed_at ?? created_at).getTime();
  const number = (each: Stored) => (query.sortKey === 'updated' ? changed(each) : comparable(each.data[query.sortKey ?? ''] ?? null));
  // The order of changes has no order of arrivals within it.
  const arrival = (each: Stored) => (query.sortKey === 'updated' ? 0 : each.created_at.getTime());
  return stored
    .filter((each) => fits(each, query) && (query.changedSince === undefined || changed(each) >= Date.parse(query.changedSince)))
    .filter((each) => query.sortKey === undefined || number(each) !== undefined)
    .sort(
      (a, b) =>
        sign *
        ((query.sortKey === undefined ? 0 : (number(a) ?? 0) - (number(b) ?? 0)) || arrival(a) - arrival(b) || (a.id < b.id ? -1 : 1)),
    )
    .map(({ id }) => id);
}

interface Query {
  q: string | undefined;
  filters: AnswerFilter[];
  statuses: string[] | undefined;
  direction: 'asc' | 'desc';
  /** A field, or `updated`. */
  sortKey: string | undefined;
  /** Only with the latter. */
  changedSince: string | undefined;
}

function fits({ data, status, words: all }: Stored, { q, filters, statuses: of }: Query): boolean {
  const hasWords = soughtIn(q ?? '').every(({ words, isQuoted, text }) =>
    isQuoted
      ? Object.values(data).some((answer) => saysIn(String(answer), text))
      : words.every(({ word, isPrefix }) => (isPrefix ? [...all].some((each) => each.startsWith(word)) : all.has(word))),
  );
  return hasWords && (of?.includes(status) ?? true) && filters.every((filter) => meets(data[filter.key], filter));
}

function meets(answer: unknown, { comparison, values }: AnswerFilter): boolean {
  const parts = [answer].flat().map((part) => String(part).toLowerCase());
  const [number, bound] = [comparable(answer ?? null), comparable(values[0] ?? '') ?? Number(values[0])];
  switch (comparison) {
    case 'eq':
      return values.some((value) => parts.includes(value.toLowerCase()));
    case 'ne':
      return !values.some((value) => parts.includes(value.toLowerCase()));
    case 'answered':
      return (answer !== undefined) === (values[0] === 'true');
    case 'gt':
      return number !== undefined && number > bound;
    case 'gte':
      return number !== undefined && number >= bound;
    case 'lt':
      return number !== undefined && number < bound;
    case 'lte':
      return number !== undefined && number <= bound;
  }
}

const filter = fc.oneof(
  fc.record({
    key: fc.constant('age'),
    comparison: fc.constantFrom('gt', 'gte', 'lt', 'lte', 'eq', 'ne'),
    values: fc.nat(90).map((n) => [String(n)]),
  }),
  fc.record({ key: fc.constant('born'), comparison: fc.constantFrom('gt', 'lte'), values: fc.nat(80).map((n) => [`19${10 + n}-01-01`]) }),
  fc.record({ key: fc.constantFrom('born', 'age'), comparison: fc.constant('answered'), values: fc.constantFrom(['true'], ['false']) }),
  fc.record({
    key: fc.constant('colours'),
    comparison: fc.constantFrom('eq', 'ne'),
    values: fc.constantFrom(['red'], ['Green'], ['blue', 'green']),
  }),
) as fc.Arbitrary<AnswerFilter>;
const query: fc.Arbitrary<Query & { limit: number }> = fc
  .record({
    q: fc.option(
      fc.constantFrom(
        'ada',
        'ada*',
        '"ada"',
        'a',
        'an',
        'c r',
        'common',
        'rare',
        'rare common',
        'r common',
        '"lovelace common"',
        'angs',
        '京',
        'x12',
        'nothing',
        'n x',
      ),
      {
        nil: undefined,
      },
    ),
    filters: fc.uniqueArray(filter, { maxLength: 1, selector: ({ key }) => key }),
    statuses: fc.option(fc.subarray(statuses, { minLength: 1 }), { nil: undefined }),
    direction: fc.constantFrom('asc', 'desc'),
    sortKey: fc.option(fc.constantFrom('age', 'born', 'updated'), { nil: undefined, freq: 3 }),
    limit: fc.constantFrom(40, 100),
    minutesAgo: fc.option(fc.integer({ min: 60, max: 120 }), { nil: undefined }),
  })
  .map(({ minutesAgo, ...given }) => ({
    ...given,
    changedSince:
      minutesAgo === undefined || given.sortKey !== 'updated'
        ? undefined
        : new Date(started.clock.now().getTime() - minutesAgo * 60_000).toISOString(),
  }));

const matchesReadingAll = async (form: string, stored: readonly Stored[], runs: number) =>
  fc.assert(
    fc.asyncProperty(query, async (given) => {
      const sought = {
        formId: form,
        ...readConditions(given.q, given.filters),
        statuses: given.statuses,
        assignee: undefined,
        from: undefined,
        to: undefined,
        changedSince: given.changedSince,
      };
      const found = await allOf(sought, given);
      expect(found).toEqual(expected(stored, given));
    }),
    propertyRuns(runs),
  );

it('finds what reading every submission would find, in the same order, with and without blocks', async () => {
  const { form, stored } = await submissions(1_500);
  await indexWaiting(started.deps, never);
  await matchesReadingAll(form, stored, 20);
  // So small that the form has many.
  const blocks = searchBlocks({ db: started.db, clock: started.clock, log: started.log, size: 20 });
  blocks.request(form);
  await blocks.idle();
  expect(await rowsOf(started.db, 'select from search_block where form_id = ?', [form])).toHaveLength(75);
  await matchesReadingAll(form, stored, 40);
});

const anything = { statuses: undefined, assignee: undefined, from: undefined, to: undefined, changedSince: undefined };

it.each([
  ['asc', 0],
  ['desc', 0],
  ['asc', 700],
  ['desc', 700],
] as const)(
  'goes on from the place where a request has read as much as it may, %s, after %i were erased',
  async (direction, alsoErased) => {
    const { form, stored } = await submissions(1_500);
    await indexWaiting(started.deps, never);
    const blocks = searchBlocks({ db: started.db, clock: started.clock, log: started.log, size: 2 });
    blocks.request(form);
    await blocks.idle();
    // As if those in the first or last sections had been erased.
    const erased = await rowsOf<{ id: string }>(
      started.db,
      `delete from search_entry where (form_id, created_at, submission_id) in (
       select form_id, created_at, submission_id from search_entry where form_id = ? order by created_at ${direction} limit ?
     ) returning submission_id as id`,
      [form, alsoErased],
    );
    const gone = new Set(erased.map(({ id }) => id));
    for (const q of ['common', 'rare', 'ada*', 'rare common', 'nothing', 'x12*']) {
      const given = { q, filters: [], statuses: undefined, direction, sortKey: undefined, changedSince: undefined };
      const filter = { ...anything, formId: form, ...readConditions(q, []) };
      const ids: string[] = [];
      let requests = 0;
      let after: Place | undefined;
      do {
        const hits = await fromIndex(started.db, filter, { direction, after, limit: 1_500 }, requests % 2 === 0, {
          entries: 50,
          sections: 2,
        });
        const end = hits.findIndex(({ isEnd }) => isEnd);
        ids.push(...hits.slice(0, end === -1 ? undefined : end + 1).flatMap(({ id, isFound }) => (isFound ? id : [])));
        after = hits[end];
        requests++;
      } while (after);
      expect(ids).toEqual(expected(stored, given).filter((id) => !gone.has(id)));
      // The form has six sections, of 256 entries.
      expect(requests).toBeGreaterThanOrEqual(3);
    }
  },
);

it('reads of the blocks only what it finds, whatever other forms have', async () => {
  const { form } = await submissions(1_500);
  const other = await submissions(600);
  await indexWaiting(started.deps, never);
  for (const id of [form, other.form]) {
    started.searchBlocks.request(id);
    await started.searchBlocks.idle();
  }
  const slice = { direction: 'desc', limit: 26, after: undefined } as const;
  const read = (q: string, isCommon: boolean) =>
    started.db.transaction((trx) =>
      countRowsRead(trx, ['search_entry', 'submission', 'search_block'], () =>
        fromIndex(trx, { ...anything, formId: form, ...readConditions(q, []) }, slice, isCommon),
      ),
    );
  expect(await read('nothing', false)).toBeLessThan(20);
  expect(await read('rare', false)).toBeLessThan(40);
  // Those of the newest block: every third has it.
  expect(await read('common', true)).toBeLessThan(300);
});
