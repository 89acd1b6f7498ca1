import * as given from '../../support/given';
import { asMember, asOwner, asServiceAccount } from '../../support/people';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'age', label: 'Your age', type: 'short_text' },
];
const draftOf = async (form: string) => (await asOwner.get(`/app/v1/forms/${form}/draft`)).body as { fields: object[]; revision: number };
const save = async (form: string, fields: object[]) =>
  asOwner.put(`/app/v1/forms/${form}/draft`, { fields, revision: (await draftOf(form)).revision });

it('an editor sees before publishing what changes, and how many answers are affected', async () => {
  const form = await given.publishedForm({ fields });
  const age = { key: 'age', label: 'Your age', type: 'integer' };
  await given.submission(form, { name: 'Ada', age: '36' });
  await given.submission(form, { name: 'Bob' });
  await save(form, [age, { key: 'city', label: 'Your city', type: 'short_text' }]);

  const editor = await asMember('editor');
  const checked = await editor.post(`/app/v1/forms/${form}/publish-check`);
  expect(checked).toMatchObject({
    status: 200,
    body: {
      changes: [
        { kind: 'retyped', key: 'age', from: { type: 'short_text' }, to: { type: 'integer' }, changed_properties: ['type'] },
        { kind: 'added', key: 'city' },
        { kind: 'removed', key: 'name' },
      ],
      affected: [
        { key: 'age', submissions: 1 },
        { key: 'name', submissions: 2 },
      ],
    },
  });
  const published = await editor.post(`/api/v1/forms/${form}/publish`);
  expect((published.body as { warnings: string[] }).warnings).toEqual((checked.body as { warnings: string[] }).warnings);
  const unchanged = 'Nothing has changed since version 2.';
  expect((await editor.post(`/app/v1/forms/${form}/publish-check`)).body).toEqual({
    changes: [],
    warnings: [unchanged],
    warning_details: [{ code: 'nothing_changed', params: { version: 2 }, message: unchanged }],
    affected: [],
    affected_options: [],
  });
});

it('an editor sees before publishing how many submissions chose an option that is removed, and which languages lack texts', async () => {
  const colour = (...options: string[]) => ({ key: 'colour', label: 'Colour', type: 'multi_select', options });
  const form = await given.publishedForm({ fields: [colour('red', 'blue', 'green')] });
  for (const chosen of [['red'], ['red', 'blue'], ['green']]) await given.submission(form, { colour: chosen });
  const settings = { languages: ['en', 'de'], default_language: 'en' };
  expect(await asOwner.patch(`/app/v1/forms/${form}`, settings)).toMatchObject({ status: 200 });
  await save(form, [colour('green')]);
  expect(await asOwner.post(`/app/v1/forms/${form}/publish-check`)).toMatchObject({
    status: 200,
    body: {
      affected: [],
      affected_options: [{ key: 'colour', options: ['red', 'blue'], submissions: 2 }],
      warning_details: [
        { code: 'untranslated', params: { language: 'de', texts: 3, missing: 3 } },
        { code: 'options_removed', params: { key: 'colour', version: 1, options: 2 } },
      ],
    },
  });
});

it('a program that may only read forms can check them too', async () => {
  const form = await given.publishedForm({ fields });
  await given.submission(form, { name: 'Ada' });
  await save(form, []);
  const robot = await asServiceAccount('forms:read');
  expect(await robot.post(`/app/v1/forms/${form}/publish-check`)).toMatchObject({
    status: 200,
    body: {
      affected: [
        { key: 'name', submissions: 1 },
        { key: 'age', submissions: 0 },
      ],
    },
  });
});

it('a viewer compares versions, and an editor takes one back into the draft or gives up a draft', async () => {
  const form = await given.publishedForm({ fields });
  await given.publishAgain(form, { fields: [], payment: { amount: 2500, currency: 'eur' } });
  const viewer = await asMember('viewer');
  expect(await viewer.get(`/app/v1/forms/${form}/versions/1/diff/2`)).toMatchObject({
    status: 200,
    body: {
      from: 1,
      to: 2,
      changes: [
        { kind: 'removed', key: 'name' },
        { kind: 'removed', key: 'age' },
      ],
      payment: { to: { amount: 2500, currency: 'eur' } },
    },
  });

  const editor = await asMember('editor');
  const { revision } = await draftOf(form);
  expect(await editor.post(`/app/v1/forms/${form}/draft/restore`, { version: 1, revision })).toMatchObject({
    status: 200,
    body: { fields: [{ key: 'name' }, { key: 'age' }], revision: revision + 1 },
  });
  expect(await editor.post(`/app/v1/forms/${form}/draft/restore`, { version: 1, revision })).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  });
  expect(await editor.post(`/app/v1/forms/${form}/draft/discard`, { revision: revision + 1 })).toMatchObject({
    status: 200,
    body: { fields: [], payment: { amount: 2500, currency: 'eur' }, revision: revision + 2 },
  });
});

it('an editor publishes the draft as they saw it, and nothing that somebody saved since', async () => {
  const form = await given.publishedForm({ fields });
  await save(form, []);
  const { revision } = await draftOf(form);
  const editor = await asMember('editor');
  const publish = (seen: number) => editor.post(`/app/v1/forms/${form}/draft/publish`, { revision: seen });
  expect(await publish(revision - 1)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect(await publish(revision)).toMatchObject({ status: 200, body: { version: 2 } });
});
