import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

const fields = [
  { key: 'visits', label: 'Do you visit us?', type: 'boolean', required: true },
  { key: 'guests', label: 'Guests', type: 'integer', required: true, max: 5, visible_if: { key: 'visits', equals: true } },
];

it('an editor tries a draft without storing anything, before it is published', async () => {
  const form = await given.publishedForm();
  const { revision } = (await asOwner.get(`/app/v1/forms/${form}/draft`)).body as { revision: number };
  await asOwner.put(`/app/v1/forms/${form}/draft`, { fields, revision });
  const editor = await asMember('editor');
  const attempt = (data: unknown) => editor.post(`/app/v1/forms/${form}/draft/try`, { data });

  expect(await attempt({ visits: true, guests: 9 })).toMatchObject({
    status: 200,
    body: {
      valid: false,
      faults: [{ key: 'guests', code: 'too_large', params: { max: 5 }, message: 'must be at most 5' }],
      visible: ['visits', 'guests'],
    },
  });
  expect((await attempt({ visits: false })).body).toEqual({ valid: true, faults: [], visible: ['visits'] });
  expect(await attempt('nothing')).toMatchObject({ status: 400 });
  expect(await asOwner.get(`/api/v1/forms/${form}/submissions`)).toMatchObject({ body: { total: 0 } });
  expect(await (await asMember('viewer')).post(`/app/v1/forms/${form}/draft/try`, { data: {} })).toMatchObject({ status: 403 });
});
