import { eventually } from '@sheaf/testing';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, faultyKeys, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';

const fields = [
  {
    key: 'source',
    label: 'How did you hear of us?',
    type: 'select',
    required: true,
    options: ['Web', 'Friend'],
    other: { label: 'Something else' },
  },
  { key: 'topics', label: 'Topics', type: 'multi_select', options: ['Art'], other: { label: 'Other topics' } },
  { key: 'note', label: 'Note', type: 'short_text' },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Other', fields });
});

itInBrowser('without scripts, the text of Other can be filled in at once, and is asked for once Other is chosen', async () => {
  const respondent = await asRespondent({ javaScript: false, width: 320 });
  const { page } = respondent;
  await page.goto(`/f/${form}?lang=ar`);
  expect(await page.locator('[data-key=source_other]').isVisible()).toBe(true);
  expect(await respondent.accessibilityFaults()).toEqual([]);
  await page.goto(`/f/${form}`);
  await answer(page, { source: 'other', source_other: ' ' });
  await press(page, 'Send');
  expect(await faultyKeys(page)).toEqual(['source_other']);
  await answer(page, { source_other: 'A poster', topics: ['Art', 'other'], topics_other: 'Music' });
  expect([await press(page, 'Send'), await faultyKeys(page)]).toEqual([200, []]);
  const data = { source: 'other', source_other: 'A poster', topics: ['Art', 'other'], topics_other: 'Music' };
  expect((await given.submissionsOf(form))[0]?.data).toEqual(data);
});

itInBrowser('with scripts, the text of Other shows once it is chosen, and does not count once it is not', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  const text = page.locator('[data-key=source_other]');
  await text.waitFor({ state: 'hidden' });
  await answer(page, { source: 'other' });
  await text.waitFor();
  await answer(page, { source_other: 'A poster' });
  await answer(page, { source: 'Web' });
  await text.waitFor({ state: 'hidden' });
  expect(await press(page, 'Send')).toBe(200);
  expect((await given.submissionsOf(form))[0]?.data).toEqual({ source: 'Web' });
});

it('is an answer of its own for the API, search, corrections, exports and insights', async () => {
  const mine = await given.publishedForm({ title: 'Other by API', fields });
  const send = (data: object) => anyone.post(`/public/v1/forms/${mine}/submissions`, { data });
  expect(await send({ source: 'other' })).toMatchObject({
    status: 400,
    body: { error: { details: [{ key: 'source_other', code: 'required' }] } },
  });
  expect(await send({ source: 'other', source_other: 'x'.repeat(1_001) })).toMatchObject({ status: 400 });
  const id = await given.submission(mine, { source: 'other', source_other: 'Lighthouse' });

  const path = `/app/v1/forms/${mine}`;
  const found = async (query: string) =>
    ((await asOwner.get(`${path}/submissions?${query}`)).body as { data: { id: string }[] }).data.map((each) => each.id);
  await eventually(async () => expect(await found('q=lighthouse')).toEqual([id]));
  expect(await found('filter[source]=other&filter[source_other][contains]=light')).toEqual([id]);

  expect(await asOwner.patch(`${path}/submissions/${id}`, { data: { source_other: '' }, revision: 0 })).toMatchObject({ status: 400 });
  const corrected = { source: 'other', source_other: 'A lighthouse' };
  expect(await asOwner.patch(`${path}/submissions/${id}`, { data: corrected, revision: 0 })).toMatchObject({
    status: 200,
    body: { data: corrected },
  });

  const [head, row] = String((await asOwner.get(`${path}/submissions/export?format=csv`)).body).split('\r\n');
  expect([head?.split(',').slice(4), row?.split(',').slice(4)]).toEqual([
    ['source', 'source_other', 'topics', 'topics_other', 'note'],
    ['other', 'A lighthouse', '', '', ''],
  ]);
  await eventually(async () =>
    expect((await asOwner.get(`${path}/insights?field=source,source_other`)).body).toMatchObject({
      fields: [
        { key: 'source', options: [{ value: 'other', submissions: 1 }] },
        { key: 'source_other', answered: 1 },
      ],
    }),
  );
});

it('stays with a draft that is read and written back, and goes with its setting', async () => {
  const mine = await given.publishedForm({ title: 'Other again', fields });
  const path = `/app/v1/forms/${mine}/draft`;
  const read = async () => (await asOwner.get(path)).body as { fields: { key: string; other?: object }[]; revision: number };
  const first = await read();
  expect(first.fields.map(({ key }) => key)).toEqual(['source', 'source_other', 'topics', 'topics_other', 'note']);
  const { fields: kept, revision } = first;
  expect(await asOwner.put(path, { fields: kept, revision })).toMatchObject({ status: 200, body: { fields: first.fields } });
  const second = await read();
  const without = second.fields.map(({ other: _, ...field }) => field);
  await asOwner.put(path, { revision: second.revision, fields: without });
  expect((await read()).fields.map(({ key }) => key)).toEqual(['source', 'topics', 'note']);
});
