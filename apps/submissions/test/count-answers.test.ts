import type { Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, refused } from '@sheaf/testing';
import { countAnswers } from '../src/submission/count-answers';
import { Started } from './started';

const started = new Started();
const { instanceId, owner, viewer, outsider, respondent } = started;
let client: Started['client'];
beforeAll(async () => {
  ({ client } = await started.start());
});
afterAll(() => started.stop());

const submit = async (form: string, data: object) =>
  (await client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(data)) })).id;
const count = (form_id: string, keys: string[], as: Caller = viewer) => client.countAnswers(callAs(as), { form_id, keys });
const countChosen = (form_id: string, options: { key: string; options: string[] }[], keys: string[]) =>
  client.countAnswers(callAs(viewer), { form_id, keys, options });
/** With limits that tests can reach. */
const countUpTo = (formId: string, most: { rows: number; bytes: number }) =>
  countAnswers(
    started.deps,
    { caller: owner, call: callAs(owner) },
    { formId, keys: ['stars'], options: [{ key: 'colour', options: ['red'] }] },
    most,
  );

it('counts the submissions with an answer under each key', async () => {
  const form = started.aForm();
  for (const data of [{ name: 'Ada', stars: 5 }, { name: 'Bob' }, { name: 'Cleo', stars: 1 }]) await submit(form, data);
  expect(await count(form, ['stars', 'story', 'name'])).toEqual({
    counts: [
      { key: 'stars', submissions: 2 },
      { key: 'story', submissions: 0 },
      { key: 'name', submissions: 3 },
    ],
    options: [],
    complete: true,
  });
  expect(await count(started.aForm(), ['name'])).toEqual({ counts: [{ key: 'name', submissions: 0 }], options: [], complete: true });
});

it('counts the submissions that chose one of the options, each once', async () => {
  const options = ['red', 'blue', 'green'].map((value) => ({ value, label: value }));
  const fields = ['select', 'multi_select'].map((type) => ({ key: type, label: type, type, required: false, options }));
  const form = started.aForm({ fields: Buffer.from(JSON.stringify(fields)) });
  for (const data of [
    { select: 'red', multi_select: ['red', 'blue'] },
    { select: 'blue', multi_select: ['green'] },
    { select: 'green' },
    { multi_select: ['blue'] },
  ])
    await submit(form, data);
  expect(
    await countChosen(
      form,
      [
        { key: 'multi_select', options: ['red', 'blue'] },
        { key: 'select', options: ['red'] },
        { key: 'other', options: ['red'] },
      ],
      ['select'],
    ),
  ).toEqual({
    counts: [{ key: 'select', submissions: 3 }],
    options: [
      { key: 'multi_select', submissions: 2 },
      { key: 'select', submissions: 1 },
      { key: 'other', submissions: 0 },
    ],
    complete: true,
  });
});

it('counts the submissions that answered a row of a matrix, or chose a column of it, each once', async () => {
  const named = (...values: string[]) => values.map((value) => ({ value, label: value }));
  const matrix = { type: 'matrix', required: false, rows: named('front', 'back'), columns: named('bad', 'good', 'front') };
  const fields = [
    { ...matrix, key: 'one', label: 'One' },
    { ...matrix, key: 'many', label: 'Many', multiple: true },
  ];
  const form = started.aForm({ fields: Buffer.from(JSON.stringify(fields)) });
  for (const data of [
    { one: { front: 'bad', back: 'bad' }, many: { back: ['bad', 'good'] } },
    { one: { back: 'good' } },
    { many: { front: ['good'] } },
  ])
    await submit(form, data);
  const chosen = [
    { key: 'one', options: ['front', 'bad'] },
    { key: 'one', options: ['back', 'bad'] },
    { key: 'many', options: ['good'] },
    { key: 'many', options: ['bad', 'gone'] },
  ];
  const counts = await Promise.all(chosen.map(async (each) => (await countChosen(form, [each], [])).options[0]?.submissions));
  expect(counts).toEqual([1, 2, 2, 1]);
});

it('leaves out the trash and spam', async () => {
  const form = started.aForm();
  const [trashed, spam] = [await submit(form, { name: 'Ada' }), await submit(form, { name: 'Bob' })];
  await submit(form, { name: 'Cleo' });
  await client.deleteSubmission(callAs(owner), { form_id: form, id: trashed });
  await client.markSpam(callAs(owner), { form_id: form, id: spam, spam: true });
  expect(await count(form, ['name'])).toMatchObject({ counts: [{ submissions: 1 }], complete: true });
});

it('counts the newest submissions of a form that has too many, and says so', async () => {
  const form = started.aForm();
  for (const data of [{ name: 'Ada', stars: 1 }, { name: 'Bob' }, { name: 'Cleo', stars: 3 }]) {
    started.clock.advance(1_000);
    await submit(form, data);
  }
  const counted = (submissions: number, complete: boolean) => ({
    counts: [{ key: 'stars', submissions }],
    options: [{ key: 'colour', submissions: 0 }],
    complete,
  });
  expect(await countUpTo(form, { rows: 3, bytes: 1_000 })).toEqual(counted(2, true));
  expect(await countUpTo(form, { rows: 2, bytes: 1_000 })).toEqual(counted(1, false));
  expect(await countUpTo(form, { rows: 3, bytes: 1 })).toEqual(counted(0, false));
});

it('is for every role on the form, and for service accounts that may read forms', async () => {
  const form = started.aForm();
  for (const as of [owner, viewer, aServiceAccount({ instanceId, scopes: ['forms:read'] })])
    expect(await count(form, ['name'], as)).toMatchObject({ complete: true });
  await expect(count(form, ['name'], outsider)).rejects.toEqual(refused('forbidden'));
});
