import { referenceOf } from '@sheaf/contracts';
import { newId, type Problem } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { cursorAfter } from '@sheaf/rpc';
import { callAs, expectCursorsChecked, forged } from '@sheaf/testing';
import { indexAgain } from '../src/search/index.queries';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const index = () => indexWaiting(started.deps, new AbortController().signal);

const shown = [
  { key: 'name', label: 'Name', type: 'short_text', required: false },
  { key: 'born', label: 'Born', type: 'date', required: false },
  { key: 'visit', label: 'Visit', type: 'datetime', required: false },
  { key: 'age', label: 'Age', type: 'integer', required: false },
  { key: 'photos', label: 'Photos', type: 'file', required: false },
  { key: 'stay', label: 'Stay', type: 'date_range', required: false },
];
const settings = {
  fields: Buffer.from(JSON.stringify(shown)),
  labels: shown.map(({ key, label, type }) => ({ key, label, type, options: {} })),
  unordered: ['name', 'photos'],
};

interface Asked {
  filters?: { key: string; comparison: string; values: string[] }[];
  statuses?: string[];
  q?: string;
  sort?: string;
  from?: string;
  limit?: number;
  cursor?: string;
  as_json?: boolean;
}
const find = (form_id: string, asked: Asked) =>
  started.client.findSubmissions(callAs(owner), { form_id, limit: 25, sort: '-created', statuses: [], filters: [], people: [], ...asked });
/** @param filters such as `_version=2` or `born within=today` */
const sought = (...filters: string[]) => ({
  filters: filters.map((filter) => {
    const [, key = '', comparison = 'eq', values = ''] = /^(\w+)(?: (\w+))?=(.*)$/.exec(filter) ?? [];
    return { key, comparison, values: values.split('|') };
  }),
});
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) as string }) as Problem;

/** A form with these answers, the first of which arrives first, and a function that names what filters find by the answer `name`. */
async function formWith(answers: Record<string, unknown>[], more: object = {}) {
  const form = started.aForm({ ...settings, ...more });
  const ids = new Map<string, string>();
  for (const data of answers) {
    started.clock.advance(1_000);
    ids.set((await started.submit(form, data)).id, String(data.name));
  }
  await index();
  const found = async (...filters: string[]) => (await find(form, sought(...filters))).submissions.map(({ id }) => ids.get(id));
  const idOf = (name: string) => [...ids].find(([, each]) => each === name)?.[0] ?? '';
  return { form, found, idOf };
}
const set = (id: string, columns: string, value: string | number) =>
  rowsOf(started.db, `update submission set ${columns} = ? where id = ?`, [value, id]);

it('finds by the version that was answered and the language of the page, also several of them, or others', async () => {
  const { found, idOf } = await formWith(['a', 'b', 'c', 'd'].map((name) => ({ name })));
  for (const [name, version] of Object.entries({ a: 1, b: 2 })) await set(idOf(name), 'schema_version', version);
  for (const [name, language] of Object.entries({ a: 'de', b: 'de-AT', c: 'den' })) await set(idOf(name), 'language', language);
  expect(await found('_version=3')).toEqual(['d', 'c']);
  expect(await found('_version=1|2')).toEqual(['b', 'a']);
  expect(await found('_version=1,3')).toEqual(['d', 'c', 'a']);
  expect(await found('_version ne=1|3')).toEqual(['b']);
  expect(await found('_version=4')).toEqual([]);
  expect(await found('_language=de')).toEqual(['b', 'a']);
  expect(await found('_language=DE-at')).toEqual(['b']);
  expect(await found('_language=und|den')).toEqual(['d', 'c']);
  expect(await found('_language ne=de')).toEqual(['d', 'c']);
  expect(await found('_language=de', '_version=1', 'name starts_with=a')).toEqual(['a']);
});

it('finds what has files, by the answers of every field for them', async () => {
  const { found, form, idOf } = await formWith([{ name: 'a' }, { name: 'b' }]);
  await rowsOf(started.db, 'update submission set data = cast(? as json) where id = ?', [
    JSON.stringify({ name: 'b', photos: newId() }),
    idOf('b'),
  ]);
  await started.db.transaction((trx) => indexAgain(trx, form, [idOf('b')]));
  await index();
  expect(await found('_files=true')).toEqual(['b']);
  expect(await found('_files=false')).toEqual(['a']);
  const without = await formWith([{ name: 'a' }], { labels: settings.labels.slice(0, 1) });
  expect(await without.found('_files=true')).toEqual([]);
  expect(await without.found('_files=false')).toEqual(['a']);
});

it('finds in the trash and among spam where that is asked for, and tells which are there', async () => {
  const { form, found, idOf } = await formWith(['a', 'b', 'c', 'd', 'e'].map((name, age) => ({ name, age })));
  const bulk = (name: string) => ({ form_id: form, submission_ids: [idOf(name)] });
  await started.client.trashSubmissions(callAs(owner), bulk('b'));
  await started.client.markSubmissionsSpam(callAs(owner), { ...bulk('c'), spam: true });
  await started.client.markSubmissionsSpam(callAs(owner), { ...bulk('d'), spam: true });
  await started.client.trashSubmissions(callAs(owner), bulk('d'));
  expect(await found('_in=trash')).toEqual(['d', 'b']);
  expect(await found('_in=spam')).toEqual(['c']);
  expect(await found('_in=list')).toEqual(['e', 'a']);
  expect(await found('_in=spam,list')).toEqual(['e', 'c', 'a']);
  expect(await found('_in=spam|trash', 'age gte=2')).toEqual(['d', 'c']);
  for (const as_json of [true, false]) {
    const page = await find(form, { ...sought('_in=list|spam|trash'), sort: 'answers.age', as_json });
    const rows = as_json ? (JSON.parse(String(page.json)) as typeof page.submissions) : page.submissions;
    expect(rows.map(({ spam_at, deleted_at }) => [spam_at !== undefined, deleted_at !== undefined])).toEqual([
      [false, false],
      [false, true],
      [true, false],
      [true, true],
      [false, false],
    ]);
    expect(page.total).toBe(5);
  }
  const first = await find(form, { ...sought('_in=trash,spam'), limit: 2 });
  expect(first.total).toBeUndefined();
  expect((await find(form, { ...sought('_in=trash,spam'), limit: 2, cursor: first.next_cursor ?? '' })).submissions).toHaveLength(1);
  await expect(find(form, { ...sought('_in=trash'), sort: 'assignee' })).rejects.toThrow(refused(/^sort: assignee cannot be combined/));
});

it('finds by days relative to today, as they are in the zone of the form at that moment', async () => {
  const { found, idOf } = await formWith(
    [
      { name: 'a', born: '2026-03-31', visit: '2026-03-31T22:30:00Z' },
      { name: 'b', born: '2026-04-01', visit: '2026-03-31T21:30:00Z' },
      { name: 'c', born: '2026-02-28' },
      { name: 'd' },
    ],
    { timezone: 'Europe/Vienna' },
  );
  // In Vienna it is half past midnight of 1 April.
  const now = started.clock.now();
  started.clock.set('2026-03-31T22:30:00Z');
  try {
    expect(await found('born within=today')).toEqual(['b']);
    expect(await found('born within=yesterday|today')).toEqual(['b', 'a']);
    expect(await found('born within=last_month')).toEqual(['a']);
    expect(await found('born within=last_33_days')).toEqual(['c', 'b', 'a']);
    expect(await found('visit within=today')).toEqual(['a']);
    expect(await found('visit within=this_month|last_month')).toEqual(['b', 'a']);
    for (const [name, at] of Object.entries({
      a: '2026-03-31T22:00:00Z',
      b: '2026-03-31T21:59:59.999Z',
      c: '2026-03-30T12:00:00Z',
      d: '2025-12-31T23:00:00Z',
    }))
      await set(idOf(name), 'created_at', at);
    expect(await found('_created within=today')).toEqual(['a']);
    expect(await found('_created within=yesterday')).toEqual(['b']);
    expect(await found('_created within=yesterday|this_month')).toEqual(['a', 'b']);
    expect(await found('_created within=last_7_days')).toEqual(['a', 'b', 'c']);
    expect(await found('_created within=this_year')).toEqual(['a', 'b', 'c', 'd']);
  } finally {
    started.clock.set(now.toISOString());
  }
});

it('finds and sorts date ranges by their first day, and finds both days by search', async () => {
  started.clock.set('2026-05-15T12:00:00.000Z');
  const stay = (name: string, from: string, to: string) => ({ name, stay: { from, to } });
  const { form, found, idOf } = await formWith([
    stay('june', '2026-06-01', '2026-06-03'),
    stay('may', '2026-05-29', '2026-06-02'),
    { name: 'never' },
    stay('april', '2026-04-30', '2026-05-01'),
  ]);
  expect(await found('stay gte=2026-05-01')).toEqual(['may', 'june']);
  expect(await found('stay lt=2026-05-01')).toEqual(['april']);
  expect(await found('stay within=this_month')).toEqual(['may']);
  expect(await found('stay=2026-05-29|2026-06-03')).toEqual(['may']);
  await expect(find(form, sought('stay contains=2026'))).rejects.toThrow(refused(/^filter\[stay\]\[contains\]: only texts/));
  const order = async (sort: string) => (await find(form, { sort })).submissions.map(({ id }) => id);
  expect(await order('answers.stay')).toEqual(['april', 'may', 'june', 'never'].map(idOf));
  expect(await order('-answers.stay')).toEqual(['june', 'may', 'april', 'never'].map(idOf));
  for (const q of ['2026-06-02', '"2026-06-02"']) expect((await find(form, { q })).submissions.map(({ id }) => id)).toEqual([idOf('may')]);
});

it('goes on after midnight with the days of the first page', async () => {
  const { form, idOf } = await formWith(
    ['a', 'b', 'c', 'd'].map((name) => ({ name })),
    { timezone: 'Europe/Vienna' },
  );
  for (const name of ['a', 'b', 'c']) await set(idOf(name), 'created_at', `2026-03-31T1${name.charCodeAt(0) - 97}:00:00Z`);
  const now = started.clock.now();
  const pages = async (sort: string) => {
    started.clock.set('2026-03-31T21:59:00Z');
    const asked = { ...sought('_created within=today'), sort, limit: 1 };
    let page = await find(form, asked);
    started.clock.set('2026-03-31T22:01:00Z');
    const found = [...page.submissions];
    while (page.next_cursor !== undefined) {
      page = await find(form, { ...asked, cursor: page.next_cursor });
      found.push(...page.submissions);
    }
    expect((await find(form, asked)).submissions).toEqual([]);
    return found.map(({ id }) => id);
  };
  try {
    expect(await pages('-created')).toEqual(['c', 'b', 'a'].map(idOf));
    expect(await pages('updated')).toEqual(['a', 'b', 'c'].map(idOf));
    expect(await pages('status')).toEqual(['a', 'b', 'c'].map(idOf));
  } finally {
    started.clock.set(now.toISOString());
  }
});

it('refuses a comparison that would be another one in some versions, unless versions of one kind are chosen', async () => {
  const types = (key: string, ...each: [type: string, ...versions: number[]][]) => ({
    ...settings.labels.find((label) => label.key === key),
    key,
    label: key,
    options: {},
    types: each.map(([type, ...versions]) => ({ type, versions })),
  });
  const labels = [
    types('name', ['number', 1], ['short_text', 2], ['email', 3]),
    types('born', ['date', 1, 3], ['datetime', 2]),
    types('age', ['integer', 1, 3], ['number', 2]),
    types('photos', ['file', 3], ['short_text', 1, 2]),
  ];
  const { form, found, idOf } = await formWith(
    ['2026-03-31', '2026-04-01'].map((name, age) => ({ name, born: name, age })),
    { labels },
  );
  await set(idOf('2026-03-31'), 'schema_version', 2);
  const mixed = refused(/^filter\[.+: .*of another kind in some versions of the form; choose versions with filter\[_version\]$/);
  for (const filter of ['name contains=04', 'born gt=2026-01-01', 'born within=this_year', '_files=false'])
    await expect(find(form, sought(filter))).rejects.toThrow(mixed);
  await expect(find(form, sought('born gt=2026-01-01', '_version=3', '_match=any'))).rejects.toThrow(mixed);
  await expect(find(form, sought('name contains=04', '_version=1'))).rejects.toThrow(refused(/only texts can be compared so/));
  expect(await found('name contains=04', '_version=2|3')).toEqual(['2026-04-01']);
  expect(await found('born gte=2026-01-01', '_version=1,3')).toEqual(['2026-04-01']);
  expect(await found('born gte=2026-01-01', '_version ne=1|3')).toEqual(['2026-03-31']);
  expect(await found('_files=false', '_version=2')).toEqual(['2026-03-31']);
  expect(await found('age gte=0')).toEqual(['2026-04-01', '2026-03-31']);
  expect(await found('name=2026-04-01')).toEqual(['2026-04-01']);
});

it('finds a reference wherever the list that is shown looks', async () => {
  const { form, found, idOf } = await formWith(['a', 'b', 'c'].map((name) => ({ name })));
  await started.client.trashSubmissions(callAs(owner), { form_id: form, submission_ids: [idOf('b')] });
  await started.client.markSubmissionsSpam(callAs(owner), { form_id: form, submission_ids: [idOf('c')], spam: true });
  expect(await found('_in=trash')).toEqual(['b']);
  const named = async (name: string, ...filters: string[]) =>
    (await find(form, { ...sought(...filters), q: referenceOf(idOf(name)) })).submissions.map(({ id }) => id);
  expect(await named('b', '_in=trash')).toEqual([idOf('b')]);
  expect(await named('c', '_in=spam')).toEqual([idOf('c')]);
  expect(await named('b', '_in=spam')).toEqual([]);
  expect(await named('b')).toEqual([]);
  expect(await named('a')).toEqual([idOf('a')]);
});

it('finds a text that looks like the reference of a submission elsewhere', async () => {
  const { form, idOf } = await formWith([{ name: 'a' }]);
  const trashed = referenceOf(idOf('a'));
  await started.client.trashSubmissions(callAs(owner), { form_id: form, submission_ids: [idOf('a')] });
  const quoting = await started.submit(form, { name: `the same as ${trashed}` });
  await index();
  const idsIn = async (...filters: string[]) => (await find(form, { ...sought(...filters), q: trashed })).submissions.map(({ id }) => id);
  expect(await idsIn()).toEqual([quoting.id]);
  expect(await idsIn('_in=trash')).toEqual([idOf('a')]);
});

it.each([
  ['-created', ['2026-03-02T09:30:00.123456Z', newId()], [forged.time(), forged.id()]],
  ['-updated', ['2026-03-02T09:30:00.123456Z', newId()], [forged.time(), forged.id()]],
  ['answers.name', ['texts', '2026-03-02T09:30:00.123456Z', newId(), 'a'], [forged.text(), forged.time(), forged.id(), forged.text()]],
  ['assignee', ['nobody', '2026-03-02T09:30:00.123456Z', newId()], [forged.text(), forged.time(), forged.id()]],
])('refuses a made-up cursor to a page that counts from a day, sorted by %s', async (sort, real, place) => {
  const { form } = await formWith([{ name: 'a', born: '2026-03-01' }]);
  for (const filter of ['born within=last_3660_days', '_created within=next_year']) {
    const filters = sought(filter);
    await expectCursorsChecked(
      {
        list: ['submissions', form, { ...filters, sort }],
        real: ['today 2026-03-02', ...real],
        place: [forged.date().map((day) => `today ${day}`), ...place],
      },
      (cursor) => find(form, { ...filters, sort, cursor }),
    );
    for (const day of ['0001-01-01', '0999-12-31', '9999-12-31', '9000-01-01', '+99999-01-01', ''])
      await expect(
        find(form, { ...filters, sort, cursor: cursorAfter([`today ${day}`, ...real], ['submissions', form, { ...filters, sort }]) }),
      ).rejects.toThrow(refused(/^cursor: must be a next_cursor of this list$/));
    for (const day of ['1000-01-01', '8999-12-31'])
      expect(
        await find(form, { ...filters, sort, cursor: cursorAfter([`today ${day}`, ...real], ['submissions', form, { ...filters, sort }]) }),
      ).toBeDefined();
  }
});

it('finds what meets any of several conditions, of which the bounds of a field are one', async () => {
  const { form, found, idOf } = await formWith([
    { name: 'ada', age: 10 },
    { name: 'bob', age: 20 },
    { name: 'carla', age: 30 },
    { name: 'dan' },
  ]);
  await set(idOf('bob'), 'schema_version', 2);
  const any = '_match=any';
  expect(await found(any, 'name=ada', 'name ne=ada|bob|carla')).toEqual(['dan', 'ada']);
  expect(await found(any, 'name=ada', 'age=20')).toEqual(['bob', 'ada']);
  expect(await found(any, 'age gte=15', 'age lt=25')).toEqual(['bob']);
  expect(await found(any, 'age gte=15', 'age lt=25', 'age empty=true')).toEqual(['dan', 'bob']);
  expect(await found(any, '_version=2', 'name contains=arl')).toEqual(['carla', 'bob']);
  expect(await found(any, 'name contains=arl', 'name starts_with=d', 'age lt=15')).toEqual(['dan', 'carla', 'ada']);
  expect(await found(any, '_in=trash', '_version=2')).toEqual([]);
  expect(await found(any)).toHaveLength(4);
  expect(await found('_match=all', 'name=ada', 'age=20')).toEqual([]);
  const first = await find(form, { ...sought(any, '_version=2', 'name contains=a'), limit: 2 });
  expect(first.submissions.map(({ id }) => id)).toEqual([idOf('dan'), idOf('carla')]);
  const second = await find(form, { ...sought(any, '_version=2', 'name contains=a'), limit: 2, cursor: first.next_cursor ?? '' });
  expect(second.submissions.map(({ id }) => id)).toEqual([idOf('bob'), idOf('ada')]);
});

it('finds by version, language, place and arrival where searching is switched off', async () => {
  const { form, found } = await formWith([{ name: 'a' }]);
  await rowsOf(
    started.db,
    'insert into form_keeping (instance_id, form_id, workspace_id, legal_hold, searchable) values (?, ?, ?, false, false)',
    [started.instanceId, form, started.workspaceId],
  );
  expect(await found('_version=3', '_language=und', '_created within=today', '_in=list')).toEqual(['a']);
});

it('has in an export what a search finds, also from the trash', async () => {
  const { form, idOf } = await formWith([{ name: 'a' }, { name: 'b' }]);
  await started.client.trashSubmissions(callAs(owner), { form_id: form, submission_ids: [idOf('b')] });
  const linesOf = async (...filters: string[]) => {
    const parts: Buffer[] = [];
    for await (const { data } of started.client.exportSubmissions(callAs(owner), {
      form_id: form,
      format: 'ndjson',
      ...sought(...filters),
    }))
      parts.push(data);
    return Buffer.concat(parts)
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { data: { name: string } }).data.name);
  };
  expect(await linesOf('_in=trash')).toEqual(['b']);
  expect(await linesOf('_in=trash|list')).toEqual(['b', 'a']);
  expect(await linesOf('_match=any', 'name=a', 'name=b')).toEqual(['a']);
});

describe('refuses', () => {
  let form: string;
  beforeAll(async () => ({ form } = await formWith([{ name: 'a' }])));

  it.each([
    ['_version=0', /^filter\[_version\]: must be the number of a version, from 1 to 2147483647$/],
    ['_version=1.5', /^filter\[_version\]: must be the number/],
    ['_version ne=2147483648', /^filter\[_version\]\[ne\]: must be the number/],
    ['_version gte=1', /^filter\[_version\]\[gte\]: must be given as filter\[_version\] or filter\[_version\]\[ne\]$/],
    [`_version=${Array.from({ length: 21 }, (_, at) => at + 1).join(',')}`, /^filter\[_version\]: must have at most 20 values$/],
    ['_language=german!', /^filter\[_language\]: must be a language tag of at most 35 characters/],
    ['_files=yes', /^filter\[_files\]: must be true or false$/],
    ['_files=true|false', /^filter\[_files\]: must be true or false$/],
    ['_in=bin', /^filter\[_in\]: must be one of list, spam, trash$/],
    ['_in ne=spam', /^filter\[_in\]\[ne\]: must be given as filter\[_in\]$/],
    ['_match=some', /^filter\[_match\]: must be all or any$/],
    ['_created=2026-03-01', /^filter\[_created\]: must be given as filter\[_created\]\[within\]$/],
    ['_created within=last_9999_days', /^filter\[_created\]\[within\]: must be today, .* a number from 1 to 3660$/],
    ['born within=soon', /^filter\[born\]\[within\]: must be today/],
    ['age within=today', /^filter\[age\]\[within\]: only dates can be compared so/],
    ['_author=1', /^filters\.0\.key|^filter/],
  ])('%s', async (filter, message) => {
    await expect(find(form, sought(filter))).rejects.toThrow(refused(message));
  });
});
