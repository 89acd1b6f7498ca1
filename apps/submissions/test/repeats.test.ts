import { referenceOf } from '@sheaf/contracts';
import { callAs } from '@sheaf/testing';
import { readSheets } from '@sheaf/workbook';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { editor, viewer } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const never = new AbortController().signal;
const options = [
  { value: 'v', label: 'Vegan' },
  { value: 'f', label: 'Fish' },
];
const guests = {
  ...{ key: 'guests', label: 'Guests', type: 'repeat', required: true, item_label: 'Guest', max: 3 },
  fields: [
    { key: 'name', label: 'Name', type: 'short_text', required: true },
    { key: 'meal', label: 'Meal', type: 'select', required: false, options },
    { key: 'note', label: 'Note', type: 'short_text', required: true, visible_if: { key: 'meal', equals: 'f' } },
    { key: 'price', label: 'Price', type: 'number', required: false },
  ],
};
const items = [
  guests,
  { key: 'total', label: 'Total', type: 'calculated', required: false, formula: 'sum(guests.price) + count(guests)' },
  { key: 'why', label: 'Why so many?', type: 'short_text', required: true, visible_if: { key: 'guests', chosen_at_least: 3 } },
];
const fields = Buffer.from(JSON.stringify(items));
const earlier = Buffer.from(JSON.stringify([{ ...guests, fields: guests.fields.slice(0, 1) }]));
const labels: NonNullable<Parameters<Started['aForm']>[0]>['labels'] = [
  {
    ...{ key: 'guests', label: 'Guests & friends', type: 'repeat', options: {} },
    parts: [
      { name: 'name', kind: 'text', label: 'Name' },
      { name: 'meal', kind: 'option', label: 'Meal', options },
      // Of an earlier version, with a value that another field has.
      { name: 'hotel', kind: 'option', label: 'Hotel', options: [{ value: 'v', label: 'Needs a room' }] },
      { name: 'price', kind: 'number', label: 'Price' },
    ],
  },
  { key: 'total', label: 'Total', type: 'number', options: {} },
  { key: 'why', label: 'Why so many?', type: 'short_text', options: {} },
];
const ann = { name: 'Ann', meal: 'v', price: 2.5 };

let form: string;
let first: { id: string };
beforeAll(async () => {
  form = started.aForm({ fields, labels, earlier: { 1: earlier } });
  first = await started.submit(form, { guests: [{ price: 2.5, note: 'hidden', meal: 'v', name: ' Ann ' }, { name: 'Bo' }] });
  await started.versions.idle();
  await indexWaiting(started.deps, never);
});

const answersTo = async (id: string): Promise<unknown> => {
  const { submissions } = await started.client.listSubmissions(callAs(viewer), { form_id: form, limit: 100, offset: 0 });
  return JSON.parse(submissions.find((each) => each.id === id)?.data.toString() ?? '{}');
};

it('the items of a repeat are kept in their order, without what is hidden in each, and counted by formulas', async () => {
  expect(await answersTo(first.id)).toEqual({ guests: [ann, { name: 'Bo' }], total: 4.5 });
});

it.each<[Record<string, unknown>, { key: string; code: string }]>([
  [{}, { key: 'guests', code: 'required' }],
  [{ guests: 'Ann' }, { key: 'guests', code: 'not_items' }],
  [{ guests: [ann, ann, ann, ann] }, { key: 'guests', code: 'too_many_items' }],
  [{ guests: [ann, { meal: 'v' }] }, { key: 'guests[1].name', code: 'required' }],
  [{ guests: [{ ...ann, meal: 'x' }] }, { key: 'guests[0].meal', code: 'not_option' }],
  [{ guests: [{ ...ann, meal: 'f' }] }, { key: 'guests[0].note', code: 'required' }],
  [{ guests: [{ ...ann, age: 3 }] }, { key: 'guests[0].age', code: 'unknown_field' }],
  [{ guests: [ann, ann, ann] }, { key: 'why', code: 'required' }],
])('%j is refused at its place', async (data, fault) => {
  await expect(started.submit(form, data)).rejects.toMatchObject({ code: 'bad_request', details: [fault] });
});

it('a submission is found by a text in an item, and by the label of an option in one', async () => {
  const found = async (more: object) => {
    const { submissions } = await started.client.findSubmissions(callAs(viewer), {
      ...{ form_id: form, limit: 25, sort: '-created', statuses: [], filters: [], people: [] },
      ...more,
    });
    return submissions.map(({ id }) => id);
  };
  expect(await found({ q: 'bo' })).toEqual([first.id]);
  expect(await found({ q: 'vegan' })).toEqual([first.id]);
  expect(await found({ q: '"Vegan"' })).toEqual([first.id]);
  expect(await found({ q: 'room' })).toEqual([first.id]);
  expect(await found({ q: 'fish' })).toEqual([]);
});

it('a CSV file has the items of a repeat as JSON in one cell', async () => {
  const parts: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'csv', labels: true }))
    parts.push(data);
  const [, line = ''] = Buffer.concat(parts).toString().trim().split('\r\n');
  const cell = /"(\[.*\])"/.exec(line)?.[1]?.replaceAll('""', '"');
  expect(JSON.parse(cell ?? '')).toEqual([ann, { name: 'Bo' }]);
});

it('a workbook has a sheet for each repeat, with a row for each item', async () => {
  const rowsOf = async (name: string, more: object) => {
    const parts: Buffer[] = [];
    for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'xlsx', ...more }))
      parts.push(data);
    const { [name]: rows = [] } = await readSheets(Buffer.concat(parts), [name], { warn: () => undefined });
    return rows.map(({ cells }) => [...cells.values()]);
  };
  const [id, reference] = [first.id, referenceOf(first.id)];
  expect(await rowsOf('guests friends', { labels: true, language: 'en' })).toEqual([
    ['Submission', 'Reference', 'Item', 'Name', 'Meal', 'Hotel', 'Price'],
    [id, reference, '1', 'Ann', 'Vegan', '2.5'],
    [id, reference, '2', 'Bo'],
  ]);
  expect((await rowsOf('guests', {})).slice(0, 2)).toEqual([
    ['submission_id', 'reference', 'item', 'name', 'meal', 'hotel', 'price'],
    [id, reference, '1', 'Ann', 'v', '2.5'],
  ]);
  expect(await rowsOf('submissions', {})).toHaveLength(2);
});

it('a correction is checked and kept item by item', async () => {
  const { id } = await started.submit(form, { guests: [ann] });
  const correct = async (data: object, revision: number) => {
    const corrected = await started.client.correctSubmission(callAs(editor), {
      ...{ form_id: form, id, revision },
      data: Buffer.from(JSON.stringify(data)),
    });
    return JSON.parse(corrected.data.toString()) as unknown;
  };
  expect(await correct({ guests: [{ ...ann, price: 10 }, { name: 'Cy' }] }, 0)).toEqual({
    guests: [{ ...ann, price: 10 }, { name: 'Cy' }],
    total: 12,
  });
  await expect(correct({ guests: [{ price: 1 }] }, 1)).rejects.toMatchObject({ details: [{ key: 'guests[0].name', code: 'required' }] });
});

it('a file to import has no items, and says so', async () => {
  async function* parts() {
    yield { file: { form_id: form, match: ['1:answers.guests'], only_valid: false, events: false } };
    yield { bytes: await Promise.resolve(Buffer.from('Guests\nAnn\n')) };
  }
  await expect(started.client.previewImport(callAs(editor), parts())).rejects.toMatchObject({
    message: expect.stringContaining('guests is a repeat') as string,
  });
});
