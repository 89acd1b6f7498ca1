import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

it('an editor corrects answers under the version that they were made against, and everybody can read the earlier ones', async () => {
  const form = await given.publishedForm({
    fields: [
      { key: 'name', label: 'Name', type: 'short_text', required: true },
      { key: 'age', label: 'Age', type: 'integer' },
    ],
  });
  const id = await given.submission(form, { name: 'Ada', age: 36 });
  await given.publishAgain(form, { fields: [{ key: 'title', label: 'Title', type: 'short_text', required: true }] });
  const path = `/app/v1/forms/${form}/submissions/${id}`;
  const editor = await asMember('editor');
  expect((await editor.get(path)).body).toMatchObject({ revision: 0, edited: false, schema_version: 1 });

  expect(await editor.patch(path, { data: { name: '', age: 'many' }, revision: 0 })).toMatchObject({
    status: 400,
    body: {
      error: {
        details: [
          { key: 'name', code: 'required' },
          { key: 'age', code: 'not_number' },
        ],
      },
    },
  });
  expect(await editor.patch(path, { data: { name: 'Ada Lovelace', age: 36 }, reason: 'She told us', revision: 0 })).toMatchObject({
    status: 200,
    body: { data: { name: 'Ada Lovelace', age: 36 }, schema_version: 1, revision: 1, edited: true },
  });
  expect(await editor.patch(path, { data: { name: 'Augusta' }, revision: 0 })).toMatchObject({ status: 409 });
  expect((await asOwner.get(`/api/v1/forms/${form}/submissions/${id}`)).body).toMatchObject({ data: { name: 'Ada Lovelace', age: 36 } });

  const viewer = await asMember('viewer');
  expect((await viewer.get(`${path}/revisions`)).body).toMatchObject({
    data: [{ number: 0, reason: 'She told us', changed_by: { kind: 'user' } }],
    total: 1,
    next_cursor: null,
  });
  expect((await viewer.get(`${path}/revisions/0`)).body).toMatchObject({ data: { name: 'Ada', age: 36 }, schema_version: 1 });
  expect(await viewer.patch(path, { data: { name: 'X' }, revision: 1 })).toMatchObject({ status: 403 });
});
