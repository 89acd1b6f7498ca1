import { folded, isFilterFact, saysIn, soughtIn, wordsOf, type AnswerFilter } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { countRowsRead, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { readConditions, type Filter } from '../src/search/filter';
import { inOrderOfChange, inTime, readOn } from '../src/search/find-places';
import { forget, forgetForm } from '../src/search/forget.queries';
import { indexAgain, read, takePending, write } from '../src/search/index.queries';
import { fromIndex } from '../src/search/indexed.queries';
import { columnOf, inParts, partsByAssignee, partsByField, partsByStatus, type Part, type PartPlace } from '../src/search/orders';
import { indexWaiting, searchBlocks } from '../src/search/search-index';
import type { Place } from '../src/search/slice';
import { prepareColumn } from '../src/search/sort-keys';
import { addKeys, fromKeys, mostColumns, orderLanguageOf, preparedOf, type SortColumn } from '../src/search/sort-keys.queries';
import { comparable, entryOf } from '../src/search/terms';
import type { FieldOrder } from '../src/form/forms-view';
import { Started } from './started';
import { statuses } from './started-with-lists';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

const never = new AbortController().signal;
const words = ['ada', 'adam', 'lovelace', 'Ångström', 'engine', 'note', '東京', 'common'];

const cities = [
  'Århus',
  'Zürich',
  'zug',
  'Örebro',
  'Öland',
  'Ålesund',
  'Äbo',
  'Москва',
  'Αθήνα',
  '東京',
  'ça va',
  'Cz',
  ' ',
  'Berlin',
  'berlin',
];
const people = [newId(), newId(), newId()];
const languages = ['de', 'de-AT', 'deu', 'fr', undefined];

const orders: Readonly<Record<string, Omit<FieldOrder, 'language'>>> = {
  age: { kind: 'whole', isNumeric: true, options: [] },
  born: { kind: 'date', isNumeric: true, options: [] },
  city: { kind: 'text', isNumeric: false, options: [] },
  photos: { kind: 'file', isNumeric: false, options: [] },
  agrees: { kind: 'boolean', isNumeric: false, options: [] },
  // Red was an option once.
  colours: { kind: 'options', isNumeric: false, options: ['Green', 'Yellow', 'Blue'] },
};

interface Stored {
  id: string;
  created_at: Date;
  changed_at: Date | null;
  status: string;
  assignee: string | null;
  schema_version: number;
  language: string | null;
  deleted_at: Date | null;
  spam_at: Date | null;
  data: Record<string, unknown>;
  words: ReadonlySet<string>;
}

/** Submissions, several per moment, of which some answers are rare. */
async function submissions(count: number, form = started.aForm()): Promise<{ form: string; stored: Stored[] }> {
  const now = started.clock.now().getTime();
  const { db, instanceId } = started;
  await rowsOf(
    db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at, deleted_at, spam_at, changed_at, assignee, language)
     select gen_random_uuid(), ?, ?, cast(s.data as json), s.version, s.status, s.created_at, now(), s.deleted_at, s.spam_at, s.changed_at, s.assignee, s.language
       from json_to_recordset(cast(? as json))
         as s (data text, version int, language text, status text, created_at timestamptz, deleted_at timestamptz, spam_at timestamptz, changed_at timestamptz, assignee uuid)`,
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
            ...(n % 3 === 1 ? { city: cities[(n * 13) % cities.length] } : {}),
            ...(n % 7 === 2 ? { agrees: n % 2 === 0 } : {}),
            ...(n % 4 === 1 ? { photos: Array.from({ length: n % 12 }, () => newId()) } : {}),
          }),
          status: statuses[n % 4],
          version: 1 + Math.floor((3 * n) / count),
          language: languages[n % languages.length] ?? null,
          assignee: n % 6 === 1 ? people[n % people.length] : null,
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
    'select id, created_at, changed_at, status, assignee, schema_version, language, deleted_at, spam_at, data from submission where form_id = ?',
    [form],
  );
  return {
    form,
    stored: rows.map((row) => ({
      ...row,
      words: new Set(
        Object.values({ ...row.data, photos: [] })
          .flat()
          .flatMap((answer) => wordsOf(String(answer))),
      ),
    })),
  };
}

/** The language of the form. */
const language = 'sv';

async function partsOf(filter: Filter, key: string, direction: 'asc' | 'desc'): Promise<readonly Part[]> {
  if (key === 'status') return partsByStatus(filter, direction);
  if (key === 'assignee') return partsByAssignee(started.db, filter, { people: people.slice(1), direction, after: undefined });
  const order = { kind: undefined, isNumeric: false, options: [], ...orders[key], language };
  const column = columnOf(key, order);
  if (column) expect(await prepareColumn(started.db, filter.formId, column)).toMatchObject({ isReady: true });
  return partsByField(filter, key, order, direction);
}

/** All pages of a search. @param between called after each page */
async function allOf(
  filter: Filter,
  { direction, limit, sortKey: key }: Pick<Query, 'direction' | 'sortKey'> & { limit: number },
  between: () => Promise<void> = () => Promise.resolve(),
) {
  const ids: string[] = [];
  let after: Place | PartPlace | undefined;
  const none = () => undefined;
  do {
    const parts = key === undefined || key === 'updated' ? undefined : await partsOf(filter, key, direction);
    const { places, next }: { places: Place[]; next: Place | PartPlace | undefined } = await (parts
      ? readOn<PartPlace>(started.db, filter, { limit, after: after as PartPlace | undefined }, (most, from) =>
          inParts(started.db, filter, parts, { direction, limit: most, after: from }, none),
        )
      : readOn<Place>(started.db, filter, { limit, after: after as Place | undefined }, (most, from) => {
          const slice = { direction, limit: most, after: from };
          return key === 'updated' ? inOrderOfChange(started.db, filter, slice) : inTime(started.db, filter, slice, none);
        }));
    expect(places.length).toBeLessThanOrEqual(limit);
    ids.push(...places.map(({ id }) => id));
    await between();
    after = next;
  } while (after);
  return ids;
}

const inSwedish = new Intl.Collator(language);

/** The place of a submission by the column, as a number or a text; undefined if it is among the last ones. */
function placeBy(each: Stored, key: string): number | string | undefined {
  const answer = each.data[key];
  const chosen = [answer].flat();
  switch (key) {
    case 'updated':
      return (each.changed_at ?? each.created_at).getTime();
    case 'status':
      return statuses.indexOf(each.status);
    case 'assignee':
      // People who are no members any more come after those who are.
      return each.assignee === null ? undefined : [...people.slice(1), people[0]].indexOf(each.assignee);
    case 'city':
      return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
    case 'photos':
      return Array.isArray(answer) && answer.length > 0 ? answer.length : undefined;
    case 'agrees':
      return answer === undefined ? undefined : Number(answer);
    case 'colours': {
      const first = (orders.colours?.options ?? []).findIndex((option) => chosen.includes(option));
      return first < 0 ? Infinity : first;
    }
    default:
      return comparable(answer ?? null);
  }
}

const compared = (one: number | string, other: number | string): number =>
  typeof one === 'string' && typeof other === 'string' ? inSwedish.compare(one, other) : one === other ? 0 : one < other ? -1 : 1;

/** The same by reading everything. */
function expected(stored: readonly Stored[], query: Query): string[] {
  const { sortKey: key } = query;
  const sign = query.direction === 'asc' ? 1 : -1;
  const changed = ({ changed_at, created_at }: Stored) => (changed_at ?? created_at).getTime();
  // The order of changes has no order of arrivals within it.
  const arrival = (each: Stored) => (key === 'updated' ? 0 : each.created_at.getTime());
  const byPlace = (a: Stored, b: Stored): number => {
    if (key === undefined) return 0;
    const [one, other] = [placeBy(a, key), placeBy(b, key)];
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
    return sign * compared(one, other);
  };
  return stored
    .filter((each) => fits(each, query) && (query.changedSince === undefined || changed(each) >= Date.parse(query.changedSince)))
    .sort((a, b) => byPlace(a, b) || sign * (arrival(a) - arrival(b) || (a.id < b.id ? -1 : 1)))
    .map(({ id }) => id);
}

interface Query {
  q: string | undefined;
  filters: AnswerFilter[];
  statuses: string[] | undefined;
  direction: 'asc' | 'desc';
  /** A field, `updated`, `status` or `assignee`. */
  sortKey: string | undefined;
  /** Only with the latter. */
  changedSince: string | undefined;
}

function fits(each: Stored, { q, filters, statuses: of }: Query): boolean {
  const { data, status, words: all } = each;
  const hasWords = soughtIn(q ?? '').every(({ words, isQuoted, text }) =>
    isQuoted
      ? Object.values(data).some((answer) => saysIn(String(answer), text))
      : words.every(({ word, isPrefix }) => (isPrefix ? [...all].some((each) => each.startsWith(word)) : all.has(word))),
  );
  const valuesOf = (fact: string) => filters.find(({ key }) => key === fact)?.values;
  const area = each.deleted_at ? 'trash' : each.spam_at ? 'spam' : 'list';
  const conditions = filters.filter(({ key }) => key !== '_in' && key !== '_match');
  const isMet = (filter: AnswerFilter) => (isFilterFact(filter.key) ? meetsFact(each, filter) : meets(data[filter.key], filter));
  const areMet =
    valuesOf('_match')?.[0] === 'any' && conditions.length > 0
      ? boundsTogether(conditions).some((together) => together.every(isMet))
      : conditions.every(isMet);
  return hasWords && (of?.includes(status) ?? true) && (valuesOf('_in') ?? ['list']).includes(area) && areMet;
}

/** The bounds of a field are one condition. */
function boundsTogether(conditions: readonly AnswerFilter[]): AnswerFilter[][] {
  const isBound = ({ comparison }: AnswerFilter) => ['gt', 'gte', 'lt', 'lte'].includes(comparison);
  const keys = new Set(conditions.filter(isBound).map(({ key }) => key));
  return [
    ...[...keys].map((key) => conditions.filter((each) => isBound(each) && each.key === key)),
    ...conditions.filter((each) => !isBound(each)).map((each) => [each]),
  ];
}

function meetsFact(each: Stored, { key, comparison, values }: AnswerFilter): boolean {
  const isNegated = comparison === 'ne';
  switch (key) {
    case '_version':
      return values.includes(String(each.schema_version)) !== isNegated;
    case '_language':
      return (
        values.some(
          (value) => each.language === value || (each.language ?? 'und').startsWith(`${value}-`) || (value === 'und' && !each.language),
        ) !== isNegated
      );
    case '_files':
      return (each.data.photos !== undefined) === (values[0] === 'true');
    default:
      throw new Error(`no submission of this test has ${key}`);
  }
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
    case 'empty':
      return (answer === undefined) === (values[0] === 'true');
    case 'contains':
      return values.some((value) => typeof answer === 'string' && folded(answer).includes(folded(value)));
    case 'starts_with':
      return values.some((value) => typeof answer === 'string' && folded(answer).startsWith(folded(value)));
    case 'gt':
      return number !== undefined && number > bound;
    case 'gte':
      return number !== undefined && number >= bound;
    case 'lt':
      return number !== undefined && number < bound;
    case 'lte':
      return number !== undefined && number <= bound;
    case 'within':
      throw new Error('the filters of this test have none');
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
    key: fc.constantFrom('name', 'city'),
    comparison: fc.constantFrom('contains', 'starts_with'),
    values: fc.constantFrom(['A'], ['ada'], ['ÖRE', 'zu'], ['rlin'], ['кв'], ['nowhere'], ['x12']),
  }),
  fc.record({ key: fc.constantFrom('city', 'born'), comparison: fc.constant('empty'), values: fc.constantFrom(['true'], ['false']) }),
  fc.record({
    key: fc.constant('colours'),
    comparison: fc.constantFrom('eq', 'ne'),
    values: fc.constantFrom(['red'], ['Green'], ['blue', 'green']),
  }),
  fc.record({ key: fc.constant('_version'), comparison: fc.constantFrom('eq', 'ne'), values: fc.constantFrom(['1'], ['2', '3'], ['4']) }),
  fc.record({
    key: fc.constant('_language'),
    comparison: fc.constantFrom('eq', 'ne'),
    values: fc.constantFrom(['de'], ['de-AT', 'fr'], ['und']),
  }),
  fc.record({ key: fc.constant('_files'), comparison: fc.constant('eq'), values: fc.constantFrom(['true'], ['false']) }),
) as fc.Arbitrary<AnswerFilter>;
/** The conditions that say how the others are joined, and the areas in which submissions are sought. */
const scope = fc.constantFrom<AnswerFilter>(
  { key: '_match', comparison: 'eq', values: ['any'] },
  { key: '_in', comparison: 'eq', values: ['trash'] },
  { key: '_in', comparison: 'eq', values: ['spam', 'list'] },
  { key: '_in', comparison: 'eq', values: ['list', 'spam', 'trash'] },
);
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
    filters: fc
      .tuple(
        fc.uniqueArray(filter, { maxLength: 3, selector: ({ key }) => key }),
        fc.uniqueArray(scope, { maxLength: 2, selector: ({ key }) => key }),
      )
      .map((some) => some.flat()),
    statuses: fc.option(fc.subarray(statuses, { minLength: 1 }), { nil: undefined }),
    direction: fc.constantFrom('asc', 'desc'),
    sortKey: fc.option(fc.constantFrom('updated', 'status', 'assignee', ...Object.keys(orders)), { nil: undefined, freq: 5 }),
    limit: fc.constantFrom(40, 100),
    minutesAgo: fc.option(fc.integer({ min: 60, max: 120 }), { nil: undefined }),
  })
  .map(({ minutesAgo, ...given }) => ({
    ...given,
    // Not together, which the service refuses.
    sortKey: given.sortKey === 'assignee' && given.filters.some(({ key }) => key === '_in') ? undefined : given.sortKey,
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
        ...readConditions(given.q, given.filters, { fileKeys: ['photos'] }),
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

it.each([
  ['city', 'asc'],
  ['city', 'desc'],
  ['colours', 'asc'],
  ['status', 'desc'],
  ['age', 'desc'],
] as const)('shows each submission once in the order of %s, %s, while others arrive and are erased', async (sortKey, direction) => {
  const { form, stored } = await submissions(400);
  await indexWaiting(started.deps, never);
  const query = { q: undefined, filters: [], statuses: undefined, direction, sortKey, changedSince: undefined };
  const filter = { ...anything, formId: form, ...readConditions(undefined, []) };
  const order = expected(stored, query);
  // Every ninth goes while the pages are read.
  const doomed = order.filter((_, at) => at % 9 === 4);
  let left = [...doomed];
  const ids = await allOf(filter, { ...query, limit: 40 }, async () => {
    await submissions(5, form);
    await started.db.transaction(async (trx) => {
      await forget(trx, left.splice(0, 8));
    });
    await indexWaiting(started.deps, never);
  });
  left = [];
  expect(new Set(ids).size).toBe(ids.length);
  const gone = new Set(doomed);
  const known = new Set(order);
  expect(ids.filter((id) => known.has(id) && !gone.has(id))).toEqual(order.filter((id) => !gone.has(id)));
});

it.each([
  ['sv', ['Adam', 'Zug', 'Åke', 'Ärla', 'Öland']],
  ['de', ['Adam', 'Åke', 'Ärla', 'Öland', 'Zug']],
  ['es', ['lana', 'luz', 'naba', 'nube', 'ñame']],
  ['cs', ['cena', 'cyklus', 'hora', 'chata', 'iva']],
  ['xx', ['Adam', 'Åke', 'Zug', 'Москва', '東京']],
] as const)('sorts texts as readers of %s expect', async (written, texts) => {
  const form = started.aForm();
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
     select gen_random_uuid(), ?, ?, json_build_object('city', text), 1, 'new', now() from unnest(cast(? as text[])) as text`,
    [started.instanceId, form, [...texts].sort()],
  );
  await indexWaiting(started.deps, never);
  const column = { key: 'city', language: orderLanguageOf(`${written}-ZZ`), isCounted: false };
  await prepareColumn(started.db, form, column);
  const filter = { ...anything, formId: form, ...readConditions(undefined, []) };
  const found = await fromKeys(started.db, filter, { direction: 'asc', limit: 10, after: undefined }, column);
  expect(found.map(({ value }) => value)).toEqual(texts);
  expect([...texts].sort(new Intl.Collator(written).compare)).toEqual(texts);
});

it('goes on preparing an order after a process was killed in the middle, and has what another version indexed meanwhile', async () => {
  const { form } = await submissions(300);
  await indexWaiting(started.deps, never);
  const column = { key: 'city', language: 'sv', isCounted: false };
  expect(await prepareColumn(started.db, form, column, 100)).toEqual({ isReady: false, entries: 100 });
  // A transaction that is cut off leaves nothing behind.
  const cut = started.db.transaction(async (trx) => {
    await addKeys(trx, { formId: form, key: 'city' }, 50);
    throw new Error('killed');
  });
  await expect(cut).rejects.toThrow('killed');
  expect(await preparedOf(started.db, form, column)).toEqual({ isReady: false, entries: 100 });
  // As an earlier version does, which knows nothing of orders.
  await submissions(40, form);
  await started.db.transaction(async (trx) => {
    const sources = await read(trx, await takePending(trx, 200), 1_000_000);
    await write(
      trx,
      sources.map((source) => ({ ...source, entry: entryOf(JSON.parse(source.data) as Record<string, unknown>) })),
    );
  });
  await indexWaiting(started.deps, never);
  expect(await preparedOf(started.db, form, column)).toMatchObject({ isReady: true });
  expect(await keysWithoutEntry(form)).toEqual([]);
  expect(await entriesWithoutKey(form)).toEqual([]);
});

it('has no key of an answer that was erased, corrected or is no longer searched', async () => {
  const { form, stored } = await submissions(60);
  await indexWaiting(started.deps, never);
  const column = { key: 'city', language: 'sv', isCounted: false };
  await prepareColumn(started.db, form, column);
  const [erased, corrected] = stored.filter(({ data }) => typeof data.city === 'string' && data.city.trim() !== '');
  await started.db.transaction((trx) => forget(trx, [erased?.id ?? '']));
  await rowsOf(started.db, `update submission set data = '{"city":"Visby"}' where id = ?`, [corrected?.id ?? '']);
  await started.db.transaction((trx) => indexAgain(trx, form, [corrected?.id ?? '']));
  await indexWaiting(started.deps, never);
  const valueOf = async (id = '') =>
    (await rowsOf<{ value: string }>(started.db, 'select value from sort_key where submission_id = ?', [id])).map(({ value }) => value);
  expect(await valueOf(erased?.id)).toEqual([]);
  expect(await valueOf(corrected?.id)).toEqual(['Visby']);
  // Another language of the form takes the same keys in another order.
  const german = { ...column, language: 'und' };
  expect(await prepareColumn(started.db, form, german)).toMatchObject({ isReady: true });
  expect(await rowsOf(started.db, 'select distinct language from sort_key where form_id = ?', [form])).toEqual([{ language: 'und' }]);
  await started.db.transaction(async (trx) => {
    while (await forgetForm(trx, form, 20));
  });
  expect(await rowsOf(started.db, 'select from sort_key where form_id = ?', [form])).toEqual([]);
  expect(await rowsOf(started.db, 'select from sort_column where form_id = ?', [form])).toEqual([]);
});

it('counts an answer that cannot be read as empty, so that it keeps no other from being indexed', async () => {
  const rows = await rowsOf<{ value: string }>(
    started.db,
    `select sort_value(cast(answers as json), 'a', false) as value
       from unnest(cast(? as text[])) with ordinality as given (answers, n) order by n`,
    [['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":{"b":1}}', '{"a":["x","y"]}', '{"a":7}', '{"b":"c"}', `{"a":"${'å'.repeat(300)}"}`]],
  );
  expect(rows.map(({ value }) => value)).toEqual(['', '', '', 'x, y', '7', '', 'å'.repeat(100)]);
});

it('refuses the order of one more field than a form may be sorted by, and still has the others', async () => {
  const form = started.aForm();
  const column = (n: number): SortColumn => ({ key: `text_${n}`, language: 'und', isCounted: false });
  const columns = Array.from({ length: mostColumns }, (_, n) => column(n));
  for (const each of columns) await prepareColumn(started.db, form, each);
  await expect(prepareColumn(started.db, form, column(mostColumns))).rejects.toThrow(
    'sort: a form can be sorted by the texts and files of at most 30',
  );
  for (const each of columns) expect(await prepareColumn(started.db, form, each)).toMatchObject({ isReady: true });
});

it('reads no more long answers for a part of a text than a few megabytes, and goes on', async () => {
  const form = started.aForm();
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
     select gen_random_uuid(), ?, ?, json_build_object('city', repeat('long ', 18000) || n), 1, 'new', now() from generate_series(1, 300) n`,
    [started.instanceId, form],
  );
  await indexWaiting(started.deps, never);
  const filter = {
    ...anything,
    formId: form,
    ...readConditions(undefined, [{ key: 'city', comparison: 'contains', values: ['nowhere'] }]),
  };
  let pages = 0;
  let after: Place | undefined;
  do {
    const page = await readOn<Place>(started.db, filter, { limit: 25, after }, (most, from) =>
      inTime(started.db, filter, { direction: 'desc', limit: most, after: from }, () => undefined),
    );
    expect(page.places).toEqual([]);
    after = page.next;
    pages += 1;
  } while (after !== undefined);
  expect(pages).toBe(2);
});

it('finds a part of a text beside answers that PostgreSQL cannot write as text, and beside long ones', async () => {
  const form = started.aForm();
  const stored = [
    '{"note":"a\\u0000b","city":"Zürich"}',
    '{"note":"\\ud800","city":["Oslo","Z\\u00fcrich"]}',
    `{"note":"${'long '.repeat(300_000)}","city":"Zürich"}`,
    '{"note":"Zürich","city":"Oslo"}',
    '{"note":"Zürich"}',
  ];
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
     select gen_random_uuid(), ?, ?, cast(answers as json), n, 'new', now() - n * interval '1 second'
       from unnest(cast(? as text[])) with ordinality as given (answers, n)`,
    [started.instanceId, form, stored],
  );
  await indexWaiting(started.deps, never);
  const filter = {
    ...anything,
    formId: form,
    ...readConditions(undefined, [{ key: 'city', comparison: 'contains', values: ['üri'] }]),
  };
  const page = await readOn<Place>(started.db, filter, { limit: 25, after: undefined }, (most, from) =>
    inTime(started.db, filter, { direction: 'desc', limit: most, after: from }, () => undefined),
  );
  const found = await rowsOf<{ n: number }>(
    started.db,
    'select schema_version as n from submission where id = any(cast(? as uuid[])) order by 1',
    [page.places.map(({ id }) => id)],
  );
  expect(found.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(page.next).toBeUndefined();
});

const keysWithoutEntry = (form: string) =>
  rowsOf(
    started.db,
    `select k.submission_id from sort_key k where k.form_id = ?
        and not exists (select from search_entry e where e.form_id = k.form_id and e.submission_id = k.submission_id)`,
    [form],
  );
const entriesWithoutKey = (form: string) =>
  rowsOf(
    started.db,
    `select e.submission_id from search_entry e where e.form_id = ?
        and not exists (select from sort_key k where e.form_id = k.form_id and e.submission_id = k.submission_id)`,
    [form],
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
