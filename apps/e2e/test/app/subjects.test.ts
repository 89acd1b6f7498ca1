import { eventually } from '@sheaf/testing';
import * as given from '../../support/given';
import { asMember, asOwner } from '../../support/people';

it('an owner finds all submissions of a person in all forms, and erases them; a viewer finds and erases none', async () => {
  const value = `ada.${Date.now()}@example.org`;
  const [first, second] = [await given.publishedForm(), await given.publishedForm()];
  const listed = await given.submission(first, { name: value });
  const trashed = await given.submission(second, { name: value.toUpperCase() });
  const stays = await given.submission(first, { name: `x${value}` });
  await asOwner.delete(`/api/v1/forms/${second}/submissions/${trashed}`);
  const path = `/app/v1/subjects?value=${encodeURIComponent(value)}`;
  await eventually(async () =>
    expect((await asOwner.get(path)).body).toMatchObject({
      data: [
        { form_id: first, submission_id: listed, place: 'list', keys: ['name'], data: { name: value } },
        { form_id: second, submission_id: trashed, place: 'trash' },
      ],
      next_cursor: null,
    }),
  );

  const viewer = await asMember('viewer');
  expect((await viewer.get(path)).body).toMatchObject({ data: [], next_cursor: null });
  expect(await viewer.post('/app/v1/subjects/erase', { value })).toMatchObject({ status: 202, body: { erased: 0 } });
  await asOwner.patch(`/app/v1/forms/${second}`, { legal_hold: true });
  expect(await asOwner.post('/app/v1/subjects/erase', { value })).toMatchObject({
    status: 202,
    body: { erased: 1, held_form_ids: [second], more: false },
  });
  expect(await asOwner.get(`/api/v1/forms/${first}/submissions/${listed}`)).toMatchObject({ status: 404 });
  expect(await asOwner.get(`/api/v1/forms/${first}/submissions/${stays}`)).toMatchObject({ status: 200 });
});

it('a request names what is wrong with its value', async () => {
  expect(await asOwner.get('/app/v1/subjects')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^value/) as string } },
  });
  expect(await asOwner.get('/app/v1/subjects?value=--')).toMatchObject({ status: 400 });
  expect(await asOwner.get('/app/v1/subjects?value=ada&cursor=x')).toMatchObject({ status: 400 });
  expect(await asOwner.get('/app/v1/subjects?value=ada&form=x')).toMatchObject({ status: 400 });
});
