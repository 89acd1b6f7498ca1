import { newId, type Problem } from '@sheaf/kernel';
import { rowsOf } from '@sheaf/postgres';
import { callAs } from '@sheaf/testing';
import { countWaiting } from '../src/insights/count-waiting';
import { MissingVersion } from '../src/form/forms-view';
import { countedKeys } from '../src/insights/counters';
import { getInsights } from '../src/insights/get-insights';
import { countAgain } from '../src/insights/insights.queries';
import { addUnknownVersions, keysOfVersions, saveVersion } from '../src/insights/versions.queries';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, viewer, outsider, stranger, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const never = new AbortController().signal;
const count = async () => {
  await started.versions.idle();
  await indexWaiting(started.deps, never);
  await countWaiting(started.deps, never);
  await started.visits.store();
};

const fieldsOf = (...fields: object[]) =>
  Buffer.from(JSON.stringify(fields.map((field) => ({ label: 'A question', required: false, ...field }))));
const fields = fieldsOf(
  { key: 'name', type: 'short_text' },
  { key: 'age', type: 'integer' },
  {
    key: 'colours',
    type: 'multi_select',
    options: [
      { value: 'red', label: 'Red' },
      { value: 'green', label: 'Green' },
    ],
  },
);

const insightsOf = (form_id: string, asked: Partial<Parameters<typeof started.client.getInsights>[1]> = {}, caller = owner) =>
  started.client.getInsights(callAs(caller), { form_id, timezone: 'UTC', keys: [], ...asked });
const field = async (form: string, key: string) => (await insightsOf(form)).fields.find((one) => one.key === key);
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'bad_request', message: expect.stringMatching(message) as string }) as Problem;

async function formWith(...answers: Record<string, unknown>[]): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm({ fields });
  const ids: string[] = [];
  for (const data of answers) ids.push((await started.submit(form, data)).id);
  await count();
  return { form, ids };
}

it('counts submissions by status, day and answers', async () => {
  clock.set('2026-06-01T12:00:00.000Z');
  const { form, ids } = await formWith({ name: 'Ada', age: 36, colours: ['red'] }, { age: 79, colours: ['green', 'red'] }, {});
  await started.client.changeStatus(callAs(owner), { form_id: form, id: ids[0] ?? '', status: 'approved' });
  await count();
  const insights = await insightsOf(form, { from: '2026-05-31', to: '2026-06-01' }, viewer);
  expect(insights).toEqual({
    complete: true,
    submissions: 3,
    spam: 0,
    statuses: [
      { status: 'approved', submissions: 1 },
      { status: 'new', submissions: 2 },
    ],
    days: [
      { date: '2026-05-31', submissions: 0, views: 0, starts: 0, completions: 0 },
      { date: '2026-06-01', submissions: 3, views: 0, starts: 0, completions: 3 },
    ],
    steps: [],
    fields: [
      expect.objectContaining({ key: 'n', answered: 0 }),
      expect.objectContaining({ key: 'name', answered: 1, options: [], omitted: false }),
      expect.objectContaining({ key: 'age', answered: 2, numbers: expect.objectContaining({ min: 36, median: 36, max: 79 }) as object }),
      expect.objectContaining({
        key: 'colours',
        answered: 2,
        options: [
          { value: 'red', submissions: 2 },
          { value: 'green', submissions: 1 },
        ],
      }),
    ],
  });
  expect((await insightsOf(form, { keys: ['age'] })).fields.map(({ key }) => key)).toEqual(['age']);
});

it('gives the exact mean of numbers, which follows corrections', async () => {
  const form = started.aForm({ fields: fieldsOf({ key: 'price', type: 'number' }) });
  const ids: string[] = [];
  for (const price of [1_299.99, 0.01, -45.5]) ids.push((await started.submit(form, { price })).id);
  await count();
  expect((await field(form, 'price'))?.numbers?.mean).toBe(418.17);
  await started.client.correctSubmission(callAs(owner), {
    form_id: form,
    id: ids[0] ?? '',
    data: Buffer.from('{"price":1000}'),
    revision: 0,
  });
  await count();
  expect((await field(form, 'price'))?.numbers?.mean).toBe(318.17);
});

describe('those who were asked a field', () => {
  const car = {
    ...{ key: 'car', type: 'select' },
    options: ['yes', 'no'].map((value) => ({ value, label: value })),
  };
  const brand = { key: 'brand', type: 'short_text', visible_if: { key: 'car', equals: 'yes' } };
  const earlier = { key: 'n', type: 'short_text' };
  const asking = fieldsOf(car, brand);
  const onlyLatest = () => [{ version: 3, version_id: newId(), published_at: '2026-01-01T00:00:00.000Z', fields: asking }];
  const askedIn = async (form: string, asked: Parameters<typeof insightsOf>[1] = {}) =>
    Object.fromEntries((await insightsOf(form, asked)).fields.map((one) => [one.key, [one.answered, one.asked]]));
  const firstOf = (form: string, count: number) =>
    rowsOf(
      started.db,
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
       select gen_random_uuid(), ?, ?, '{"n":"Ada"}', 1, 'new', now(), now() from generate_series(1, ?)`,
      [started.instanceId, form, count],
    );
  /** Leaves the counts as an earlier release does, whose processes also count while both run. */
  const forget = async (form: string) => {
    await rowsOf(started.db, "delete from insight_count where form_id = ? and kind in ('v', 'h')", [form]);
    await rowsOf(
      started.db,
      `update insight_counted set counters = (select json_agg(counter) from json_array_elements_text(cast(counters as json)) counter
                                               where left(counter, 1) not in ('v', 'h')) where form_id = ?`,
      [form],
    );
  };

  it('are the submissions whose version has it and whose answers did not hide it', async () => {
    const form = started.aForm({ fields: asking, earlier: { 1: fieldsOf(earlier) } });
    const ids: string[] = [];
    for (const data of [{ car: 'yes', brand: 'Saab' }, { car: 'yes' }, { car: 'no' }, {}]) ids.push((await started.submit(form, data)).id);
    await firstOf(form, 5);
    await count();
    await insightsOf(form);
    await count();
    expect(await askedIn(form)).toEqual({ car: [3, 4], brand: [1, 2], n: [5, 5] });
    expect(await askedIn(form, { answers: ['car:yes'] })).toEqual({ car: [2, 2], brand: [1, 2], n: [0, 0] });

    const [trashed = '', unsure = ''] = ids;
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: trashed });
    await started.client.correctSubmission(callAs(owner), { form_id: form, id: unsure, data: Buffer.from('{"car":"no"}'), revision: 0 });
    await count();
    expect(await askedIn(form)).toEqual({ car: [2, 3], brand: [0, 0], n: [5, 5] });
    await started.client.restoreSubmission(callAs(owner), { form_id: form, id: trashed });
    await count();
    expect(await askedIn(form)).toEqual({ car: [3, 4], brand: [1, 1], n: [5, 5] });
  });

  it('are known of submissions that an earlier release counted once they are counted again, which looking at them begins', async () => {
    const form = started.aForm({ fields: asking, published: onlyLatest() });
    for (const data of [{ car: 'yes' }, { car: 'no' }]) await started.submit(form, data);
    await count();
    await forget(form);
    await rowsOf(started.db, 'update insight_version set keys = null, conditional = null where form_id = ?', [form]);
    await rowsOf(started.db, 'update insight_version_by_id set keys = null, conditional = null where form_id = ?', [form]);
    const unknown = { n: [0, undefined], car: [2, undefined], brand: [0, undefined] };
    expect(await askedIn(form)).toEqual(unknown);
    await count();
    expect(await askedIn(form)).toEqual({ n: [0, 0], car: [2, 2], brand: [0, 1] });

    await forget(form);
    expect(await askedIn(form)).toEqual(unknown);
    await count();
    expect(await askedIn(form)).toEqual({ n: [0, 0], car: [2, 2], brand: [0, 1] });
  });

  it('are not known as long as the forms do not have a version of some of them', async () => {
    const form = started.aForm({ fields: asking, published: onlyLatest() });
    await started.submit(form, { car: 'yes' });
    await firstOf(form, 1);
    await count();
    await insightsOf(form);
    await count();
    expect(await askedIn(form)).toEqual({ n: [0, undefined], car: [1, undefined], brand: [0, undefined] });
  });

  it('are counted again once an hour at most, and the insights are not complete meanwhile', async () => {
    const form = started.aForm({ fields: asking });
    await started.submit(form, { car: 'yes' });
    await count();
    expect(await countAgain(started.db, form, clock.now())).toBe(false);
    const isCompleteOnceForgotten = async () => {
      await count();
      await forget(form);
      return (await insightsOf(form)).complete;
    };
    expect(await isCompleteOnceForgotten()).toBe(false);
    clock.advance(3_599_999);
    expect(await isCompleteOnceForgotten()).toBe(true);
    clock.advance(1);
    expect(await isCompleteOnceForgotten()).toBe(false);
  });

  it('are not known where a later release made a condition, and its submissions are not counted again by each look', async () => {
    const later = { ...brand, visible_if: { key: 'car', sounds_like: 'yes' } };
    const form = started.aForm({ fields: asking });
    await saveVersion(started.db, { formId: form, version: 1, versionId: undefined }, countedKeys(fieldsOf(car, later)));
    await firstOf(form, 2);
    await count();
    const told = { complete: true, submissions: 2 };
    expect(await insightsOf(form)).toMatchObject(told);
    expect(await insightsOf(form)).toMatchObject(told);
    expect(await askedIn(form)).toEqual({ n: [2, undefined], car: [0, undefined], brand: [0, undefined] });
  });

  it('are not known where a later release made a field or a condition, and all that this one knows is counted', async () => {
    const versions = [
      fieldsOf(car, { key: 'scent', type: 'smell' }),
      fieldsOf(car, { ...brand, visible_if: { key: 'car', sounds_like: 'yes' } }),
    ];
    for (const fields of versions)
      for (const isLatest of [false, true]) {
        const form = started.aForm(isLatest ? { fields } : { fields: asking, earlier: { 1: fields } });
        await rowsOf(
          started.db,
          `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
           select gen_random_uuid(), ?, ?, '{"car":"no","scent":"rose"}', ?, 'new', now(), now() from generate_series(1, 2)`,
          [started.instanceId, form, isLatest ? 3 : 1],
        );
        await count();
        await insightsOf(form);
        await count();
        const { fields: counted } = await insightsOf(form);
        const known = (key: string) => counted.find((one) => one.key === key);
        expect(known('car')).toMatchObject({ answered: 2, options: [{ value: 'no', submissions: 2 }] });
        expect(known('car')?.asked).toBeUndefined();
      }
  });

  it.each([undefined, newId()])(
    'are counted anew once a release knows more fields of a version than one that stored it before, with its id %s',
    async (versionId) => {
      const form = started.aForm({ fields: asking });
      const storedWith = (...known: object[]) =>
        saveVersion(started.db, { formId: form, version: 1, versionId }, countedKeys(fieldsOf(...known)));
      await storedWith(earlier, { ...car, type: 'smell' });
      await rowsOf(
        started.db,
        `insert into submission (id, instance_id, form_id, data, schema_version, version_id, status, created_at, announced_at)
       values (gen_random_uuid(), ?, ?, '{"car":"no"}', 1, ?, 'new', now(), now())`,
        [started.instanceId, form, versionId ?? null],
      );
      await count();
      const chosen = async () => (await insightsOf(form)).fields.find(({ key }) => key === 'car')?.options;
      expect(await chosen()).toEqual([]);
      await storedWith(earlier, car);
      await storedWith(earlier, { ...car, type: 'smell' });
      await count();
      expect(await chosen()).toMatchObject([{ value: 'no', submissions: 1 }]);
    },
  );

  it('are known of versions from before versions had ids, which are asked for once if the forms do not have them', async () => {
    const form = started.aForm({ fields: asking, earlier: { 1: fieldsOf(earlier) } });
    const lost = 9;
    await firstOf(form, 2);
    await count();
    await insightsOf(form);
    await count();
    await forget(form);
    await rowsOf(started.db, 'update insight_version set keys = null, conditional = null where form_id = ? and version = 1', [form]);
    await rowsOf(
      started.db,
      "insert into insight_version (form_id, version, options, whole_numbers, numbers) values (?, ?, '{}', '{}', '{}')",
      [form, lost],
    );
    const fieldsOfVersion = started.deps.forms.fieldsOf.bind(started.deps.forms);
    const asks = jest
      .spyOn(started.deps.forms, 'fieldsOf')
      .mockImplementation((name, asked) =>
        name.version === lost ? Promise.reject(new MissingVersion(lost)) : fieldsOfVersion(name, asked),
      );
    expect(await insightsOf(form)).toMatchObject({ complete: false });
    expect(asks.mock.calls.map(([{ version }]) => version).sort()).toEqual([1, lost]);
    await count();
    expect(await askedIn(form)).toEqual({ car: [0, 0], brand: [0, 0], n: [2, 2] });
    expect(asks).toHaveBeenCalledTimes(2);
    asks.mockRestore();
  });

  it('of a version without an id are not those of another one that had its number later', async () => {
    const { db } = started;
    const formId = newId();
    const [first, anew] = [newId(), newId()];
    await rowsOf(db, "insert into insight_version (form_id, version, options, whole_numbers, numbers) values (?, 1, '{}', '{}', '{}')", [
      formId,
    ]);
    await addUnknownVersions(db, [{ formId, version: 1, versionId: first }]);
    await saveVersion(db, { formId, version: 1, versionId: anew }, countedKeys(asking));
    const known = await keysOfVersions(db, [
      { formId, version: 1, versionId: undefined },
      { formId, version: 1, versionId: anew },
    ]);
    expect(known.get(`${formId}:1`)?.questions).toBeUndefined();
    expect(known.get(anew)?.questions?.keys).toEqual(['car', 'brand']);
  });
});

it('shows every step of a rating of the latest version, its mean and its score', async () => {
  const rating = { key: 'recommend', type: 'rating', min: 0, max: 10, score: 'nps' };
  const form = started.aForm({ fields: fieldsOf(rating) });
  for (const recommend of [10, 9, 7, 3]) await started.submit(form, { recommend });
  await count();
  const { numbers } = (await insightsOf(form, { keys: ['recommend'] })).fields[0] ?? {};
  expect(numbers?.ranges.map(({ from, submissions }) => [from, submissions])).toEqual(
    Array.from({ length: 11 }, (_, step) => [step, [10, 9, 7, 3].includes(step) ? 1 : 0]),
  );
  expect(numbers).toMatchObject({ mean: 7.25, score: { value: 25, promoters: 2, passives: 1, detractors: 1 } });
});

it('counts how often an option of a ranking is first, and the mean of its ranks', async () => {
  const options = ['Rome', 'Oslo', 'Lima'].map((value) => ({ value, label: value }));
  const form = started.aForm({ fields: fieldsOf({ key: 'cities', type: 'ranking', options, ranks: 2 }) });
  const ids: string[] = [];
  for (const cities of [
    ['Rome', 'Oslo'],
    ['Oslo', 'Rome'],
    ['Lima', 'Rome'],
    ['Oslo', 'Lima'],
  ])
    ids.push((await started.submit(form, { cities })).id);
  await count();
  expect(await field(form, 'cities')).toMatchObject({
    answered: 4,
    options: [
      { value: 'Oslo', submissions: 3, first: 2, mean_rank: 1.33 },
      { value: 'Rome', submissions: 3, first: 1, mean_rank: 1.67 },
      { value: 'Lima', submissions: 2, first: 1, mean_rank: 1.5 },
    ],
  });
  // A rank is a choice, whichever it is.
  const lima = await insightsOf(form, { keys: ['cities'], answers: ['cities:Lima'] });
  expect(lima.narrowed?.submissions).toBe(2);
  expect(lima.fields[0]).toMatchObject({ answered: 2, options: [{ value: 'Lima', first: 1 }, { value: 'Oslo' }, { value: 'Rome' }] });
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id: ids[3] ?? '' });
  const [corrected = ''] = ids;
  await started.client.correctSubmission(callAs(owner), {
    ...{ form_id: form, id: corrected, revision: 0 },
    data: Buffer.from('{"cities":["Lima","Rome"]}'),
  });
  await count();
  expect(await field(form, 'cities')).toMatchObject({
    answered: 3,
    options: [
      { value: 'Rome', submissions: 3, first: 0, mean_rank: 2 },
      { value: 'Lima', submissions: 2, first: 2, mean_rank: 1 },
      { value: 'Oslo', submissions: 1, first: 1, mean_rank: 1 },
    ],
  });
});

it('has options that were chosen equally often in the order of the form, and those that it no longer has after them', async () => {
  const labels = [{ key: 'sizes', label: 'Sizes', type: 'multi_select', options: { small: 'S', large: 'L', huge: 'XL' } }];
  const options = ['small', 'large', 'huge', 'any'].map((value) => ({ value, label: value }));
  const form = started.aForm({ fields: fieldsOf({ key: 'sizes', type: 'multi_select', options }), labels });
  for (const sizes of [['huge', 'any', 'large', 'small'], ['huge']]) await started.submit(form, { sizes });
  await count();
  expect((await field(form, 'sizes'))?.options.map(({ value }) => value)).toEqual(['huge', 'small', 'large', 'any']);
});

const choices = (...values: string[]) => values.map((value) => ({ value, label: `The ${value}` }));
const aMatrix = (more: object = {}) => ({
  ...{ key: 'looks', type: 'matrix', multiple: true, rows: choices('front', 'back'), columns: choices('bad', 'good'), ...more },
});

it('counts the columns of each row of a matrix, in their order, also when answers are corrected, in the trash or restored', async () => {
  const form = started.aForm({
    fields: fieldsOf(aMatrix()),
    labels: [
      {
        ...{ key: 'looks', label: 'Looks', type: 'matrix', options: { bad: 'Poor', good: 'Fine' }, values: ['bad', 'good'] },
        parts: [
          { name: 'front', kind: 'options', label: 'Front' },
          { name: 'back', kind: 'options', label: 'Back' },
        ],
      },
    ],
  });
  const ids: string[] = [];
  for (const looks of [{ back: ['good'] }, { front: ['good', 'bad'], back: ['bad'] }, { front: ['good'] }])
    ids.push((await started.submit(form, { looks })).id);
  await count();
  const [good, bad] = [
    { value: 'good', label: 'Fine' },
    { value: 'bad', label: 'Poor' },
  ];
  const front = { value: 'front', label: 'Front' };
  const back = { value: 'back', label: 'Back' };
  const once = (...columns: object[]) => columns.map((column) => ({ ...column, submissions: 1 }));
  const all = [
    { ...front, answered: 2, columns: [...once(bad), { ...good, submissions: 2 }] },
    { ...back, answered: 2, columns: once(bad, good) },
  ];
  expect(await field(form, 'looks')).toMatchObject({ answered: 3, options: [], rows: all });
  const { fields: narrowed } = await insightsOf(form, { statuses: ['new'] });
  expect(narrowed.find(({ key }) => key === 'looks')).toMatchObject({ answered: 3, rows: all });
  const [first = '', second = ''] = ids;
  await started.client.deleteSubmission(callAs(owner), { form_id: form, id: second });
  await started.client.correctSubmission(callAs(owner), {
    ...{ form_id: form, id: first, revision: 0 },
    data: Buffer.from('{"looks":{"front":["bad"]}}'),
  });
  await count();
  expect((await field(form, 'looks'))?.rows).toEqual([{ ...front, answered: 2, columns: once(bad, good) }]);
  await started.client.restoreSubmission(callAs(owner), { form_id: form, id: second });
  await count();
  expect((await field(form, 'looks'))?.rows).toMatchObject([{ answered: 3 }, { ...back, answered: 1, columns: once(bad) }]);
});

it('counts matrices anew that a release without their counters had counted', async () => {
  const fields = fieldsOf(aMatrix());
  const published = { version: 1, version_id: newId(), published_at: clock.now().toISOString(), fields };
  const form = started.aForm({ fields, published: [published] });
  await started.submit(form, { looks: { back: ['good'] } });
  await started.versions.idle();
  await rowsOf(started.db, 'update insight_version_by_id set matrices = null, keys = null where form_id = ?', [form]);
  await count();
  expect(await insightsOf(form)).toMatchObject({ complete: false, fields: [{}, { key: 'looks', answered: 1, rows: [] }] });
  await count();
  expect(await insightsOf(form)).toMatchObject({
    complete: true,
    fields: [{}, { answered: 1, rows: [{ value: 'back', answered: 1, columns: [{ value: 'good', submissions: 1 }] }] }],
  });
});

describe('with conditions, counts are of the submissions that meet them', () => {
  const day = (data: object, at: string) => [data, `2026-05-${at}T12:00:00.000Z`] as const;
  const three = async () => {
    const form = started.aForm({ fields });
    const ids: string[] = [];
    for (const [data, at] of [
      day({ age: 20, colours: ['red', 'green'] }, '01'),
      day({ age: 40, colours: ['red'] }, '02'),
      day({ name: 'Ada', colours: ['green'] }, '10'),
    ]) {
      clock.set(at);
      ids.push((await started.submit(form, data)).id);
    }
    await started.client.changeStatus(callAs(owner), { form_id: form, id: ids[1] ?? '', status: 'approved' });
    await count();
    return form;
  };
  const span = { from: '2026-05-01', to: '2026-05-02' };
  const answeredIn = (found: Awaited<ReturnType<typeof insightsOf>>) =>
    Object.fromEntries(
      found.fields.map(({ key, answered, options }) => [key, [answered, ...options.map((one) => `${one.value} ${one.submissions}`)]]),
    );

  it('on the days of the period, by status, and by what was chosen, alone and together', async () => {
    const form = await three();
    const period = await insightsOf(form, { ...span, period_only: true });
    expect(period).toMatchObject({
      submissions: 3,
      statuses: [
        { status: 'approved', submissions: 1 },
        { status: 'new', submissions: 1 },
      ],
    });
    expect(period.narrowed).toEqual({ submissions: 2, examined: 2, cut: false });
    expect(answeredIn(period)).toEqual({ n: [0], name: [0], age: [2], colours: [2, 'red 2', 'green 1'] });
    expect(period.fields.find(({ key }) => key === 'age')?.numbers).toMatchObject({ min: 20, max: 40, mean: 30 });

    const red = await insightsOf(form, { ...span, answers: ['colours:red'] });
    expect(red.narrowed).toEqual({ submissions: 2, examined: 3, cut: false });
    expect(answeredIn(red)).toEqual({ n: [0], name: [0], age: [2], colours: [2, 'red 2', 'green 1'] });
    expect((await insightsOf(form, { ...span, answers: ['colours:red', 'colours:green'] })).days).toMatchObject([
      { submissions: 1 },
      { submissions: 0 },
    ]);
    expect((await insightsOf(form, { statuses: ['approved', 'rejected'], answers: ['colours:red'] })).narrowed?.submissions).toBe(1);
    expect((await insightsOf(form, { ...span, period_only: true, answers: ['colours:blue'] })).narrowed?.submissions).toBe(0);
    expect((await insightsOf(form, span)).narrowed).toBeUndefined();
  });

  it('of the newest submissions only, which is told', async () => {
    const form = await three();
    const asked = { caller: owner, call: callAs(owner) };
    const found = await getInsights(
      started.deps,
      asked,
      { formId: form, timezone: 'UTC', keys: [], chosen: ['colours:red'] },
      { counts: 100, examined: 2 },
    );
    expect(found.narrowed).toEqual({ submissions: 1, examined: 2, isCut: true });
  });

  it('and an answer must be an option of a field that some version has', async () => {
    const form = started.aForm({
      fields,
      labels: [{ key: 'age', label: 'Age', type: 'integer', options: {}, values: [], translated_options: [] }],
    });
    await expect(insightsOf(form, { answers: ['colour:red'] })).rejects.toEqual(
      refused(/^answer: no version of the form has the field colour$/),
    );
    await expect(insightsOf(form, { answers: ['age:1'] })).rejects.toEqual(refused(/^answer: the field age has no options to choose$/));
  });
});

it('names a field and its options as the newest version with it does', async () => {
  const label = {
    key: 'colours',
    label: 'Your colours',
    type: 'multi_select',
    options: { red: 'Deep red' },
    values: ['red'],
    translated_options: [],
  };
  const form = started.aForm({ fields, labels: [label] });
  await started.submit(form, { colours: ['red', 'green'] });
  await count();
  expect((await insightsOf(form, { keys: ['colours'] })).fields[0]).toMatchObject({
    label: 'Your colours',
    options: [
      { value: 'red', label: 'Deep red' },
      { value: 'green', submissions: 1 },
    ],
  });
});

it('shows a whole number between its bounds, and its mean', async () => {
  const form = started.aForm({ fields: fieldsOf({ key: 'guests', type: 'integer', min: 0, max: 6 }) });
  for (const guests of [2, 3]) await started.submit(form, { guests });
  await count();
  const { numbers } = (await insightsOf(form, { keys: ['guests'] })).fields[0] ?? {};
  expect(numbers?.ranges.map(({ from, submissions }) => [from, submissions])).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((n) => [n, n === 2 || n === 3 ? 1 : 0]),
  );
  expect(numbers?.mean).toBe(2.5);
});

it('leaves out the trash, spam and erased submissions, and counts corrected answers', async () => {
  const { form, ids } = await formWith({ age: 10 }, { age: 20 }, { age: 30 }, { age: 40 });
  const [trashed = '', spam = '', erased = '', corrected = ''] = ids;
  const of = (id: string) => ({ form_id: form, id });
  await started.client.deleteSubmission(callAs(owner), of(trashed));
  await started.client.markSpam(callAs(owner), { ...of(spam), spam: true });
  await rowsOf(started.db, 'delete from submission where id = ?', [erased]);
  await started.client.correctSubmission(callAs(owner), { ...of(corrected), data: Buffer.from('{"age":41}'), revision: 0 });
  await count();
  expect(await field(form, 'age')).toMatchObject({ answered: 1, numbers: { min: 41, max: 41 } });
  expect(await started.db('insight_counted').where({ form_id: form })).toHaveLength(1);
  // Held back, but not in silence.
  expect(await insightsOf(form)).toMatchObject({ submissions: 1, spam: 1 });

  await started.client.restoreSubmission(callAs(owner), of(trashed));
  await started.client.markSpam(callAs(owner), { ...of(spam), spam: false });
  await count();
  expect(await insightsOf(form)).toMatchObject({ submissions: 3, spam: 0 });
  expect(await field(form, 'age')).toMatchObject({ answered: 3, numbers: { min: 10, median: 20, max: 41 } });
});

it('counts the days of the time zone that the form has now, also across a change of the clocks', async () => {
  const { form, ids } = await formWith({}, {}, {});
  const at = ['2026-03-28T22:30:00Z', '2026-03-28T23:30:00Z', '2026-03-29T22:15:00Z'];
  for (const [n, time] of at.entries()) await rowsOf(started.db, 'update submission set created_at = ? where id = ?', [time, ids[n] ?? '']);
  for (const id of ids) await rowsOf(started.db, 'insert into insight_pending values (?, ?)', [id, form]);
  await count();
  const daysIn = async (timezone: string) => {
    const { days } = await insightsOf(form, { timezone, from: '2026-03-28', to: '2026-03-30' });
    return days.map(({ submissions }) => submissions);
  };
  expect(await daysIn('UTC')).toEqual([2, 1, 0]);
  expect(await daysIn('Europe/Vienna')).toEqual([1, 1, 1]);
  expect(await daysIn('Asia/Kathmandu')).toEqual([0, 2, 1]);
});

it('shows the last 30 days unless asked for others, and at most 3,660', async () => {
  clock.set('2026-06-30T23:30:00.000Z');
  const { form } = await formWith({});
  const daysOf = async (asked: { from?: string; to?: string; timezone?: string }) =>
    (await insightsOf(form, asked)).days.map(({ date }) => date);
  expect(await daysOf({})).toHaveLength(30);
  expect((await daysOf({})).at(-1)).toBe('2026-06-30');
  expect((await daysOf({ timezone: 'Europe/Vienna' })).at(-1)).toBe('2026-07-01');
  expect((await daysOf({ to: '2026-01-30' }))[0]).toBe('2026-01-01');
  expect(await daysOf({ from: '2016-06-23' })).toHaveLength(3_660);
  await expect(daysOf({ from: '2016-06-22' })).rejects.toEqual(refused(/^from: must be at most 3659 days before to$/));
  await expect(daysOf({ from: '2026-06-02', to: '2026-06-01' })).rejects.toEqual(refused(/^to: must not be before from$/));
});

it('asks forms for the fields of versions from before the counts, and then counts their answers', async () => {
  const form = started.aForm({ fields, earlier: { 1: fieldsOf({ key: 'age', type: 'select' }) } });
  await rowsOf(
    started.db,
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
     select gen_random_uuid(), ?, ?, '{"age":"old"}', 1, 'new', now() - n * interval '1 second', now() from generate_series(1, 450) n`,
    [started.instanceId, form],
  );
  await rowsOf(started.db, 'delete from search_pending');
  await rowsOf(started.db, 'delete from insight_pending');
  expect(await insightsOf(form)).toMatchObject({ complete: false, submissions: 0 });
  await count();
  // The first look after that learns the version.
  expect(await insightsOf(form)).toMatchObject({ complete: false, submissions: 450 });
  await count();
  expect(await insightsOf(form)).toMatchObject({ complete: true, submissions: 450 });
  expect(await field(form, 'age')).toMatchObject({ answered: 450, options: [{ value: 'old', submissions: 450 }] });
});

it('stops between steps, and continues later', async () => {
  const { form } = await formWith({ age: 1 }, { age: 2 });
  await rowsOf(started.db, 'delete from insight_counted');
  await rowsOf(started.db, 'delete from insight_count');
  await rowsOf(started.db, `update insight_form set walk_created_at = 'infinity', walk_id = form_id`);
  const stopping = new AbortController();
  stopping.abort();
  await countWaiting(started.deps, stopping.signal);
  await count();
  expect(await insightsOf(form)).toMatchObject({ complete: true, submissions: 2 });
});

it('leaves out the values of fields that do not fit into a response', async () => {
  const { form } = await formWith({ age: 1, colours: ['red', 'green'] }, { age: 2 });
  const asked = { caller: owner, call: callAs(owner) };
  const keys = ['colours', 'age'];
  const { fields: found } = await getInsights(started.deps, asked, { formId: form, timezone: 'UTC', keys }, { counts: 2, examined: 10 });
  expect(found).toEqual([
    expect.objectContaining({ key: 'colours', isOmitted: false }),
    expect.objectContaining({ key: 'age', answered: 2, isOmitted: true }),
  ]);
});

it('leaves out no values for the digits of numbers, which no response has', async () => {
  const form = started.aForm({ fields: fieldsOf({ key: 'price', type: 'number' }) });
  await started.submit(form, { price: 1.23456789 });
  await count();
  const asked = { caller: owner, call: callAs(owner) };
  for (const statuses of [[], ['new']]) {
    const wanted = { formId: form, timezone: 'UTC', keys: ['price'], statuses };
    const { fields: found } = await getInsights(started.deps, asked, wanted, { counts: 1, examined: 10 });
    expect(found).toMatchObject([{ isOmitted: false, numbers: { mean: 1.23 } }]);
  }
});

it('refuses fields that no version has, and people without a role', async () => {
  const { form } = await formWith({});
  await expect(insightsOf(form, { keys: ['agee'] })).rejects.toEqual(refused(/^field: no version of the form has the field agee$/));
  await expect(insightsOf(form, {}, outsider)).rejects.toThrow(expect.objectContaining({ code: 'forbidden' }) as Problem);
  await expect(insightsOf(form, {}, stranger)).rejects.toThrow(expect.objectContaining({ code: 'not_found' }) as Problem);
});
