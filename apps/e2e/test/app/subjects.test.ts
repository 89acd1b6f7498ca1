import * as given from '../../support/given';
import { eventually, type Person } from '@sheaf/testing';
import { asMember, asOwner, instanceAdmin } from '../../support/people';

/** The matches of all pages. The owner of these tests has many forms, and a request reads only so much. */
async function found(person: Person, value: string): Promise<unknown[]> {
  const all: unknown[] = [];
  let cursor: string | null = '';
  do {
    const { body } = await person.get(`/app/v1/subjects?value=${encodeURIComponent(value)}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const page = body as { data: unknown[]; next_cursor: string | null };
    all.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

async function eraseAll(value: string): Promise<{ erased: number; held: string[] }> {
  const total = { erased: 0, held: [] as string[] };
  let cursor: string | null = null;
  do {
    const { status, body } = await asOwner.post('/app/v1/subjects/erase', { value, ...(cursor === null ? {} : { cursor }) });
    expect(status).toBe(202);
    const outcome = body as { erased: number; held_form_ids: string[]; next_cursor: string | null };
    total.erased += outcome.erased;
    total.held.push(...outcome.held_form_ids);
    cursor = outcome.next_cursor;
  } while (cursor !== null);
  return total;
}

it('an owner finds all submissions of a person in all forms, and erases them; a viewer finds and erases none', async () => {
  const value = `ada.${Date.now()}@example.org`;
  const [first, second] = [await given.publishedForm(), await given.publishedForm()];
  const listed = await given.submission(first, { name: value });
  const trashed = await given.submission(second, { name: value.toUpperCase() });
  const stays = await given.submission(first, { name: `x${value}` });
  await asOwner.delete(`/api/v1/forms/${second}/submissions/${trashed}`);
  await eventually(async () =>
    expect(await found(asOwner, value)).toMatchObject([
      { form_id: first, submission_id: listed, place: 'list', keys: ['name'], data: { name: value } },
      { form_id: second, submission_id: trashed, place: 'trash' },
    ]),
  );

  const viewer = await asMember('viewer');
  expect(await found(viewer, value)).toEqual([]);
  expect(await viewer.post('/app/v1/subjects/erase', { value })).toMatchObject({ status: 202, body: { erased: 0 } });
  await asOwner.patch(`/app/v1/forms/${second}`, { legal_hold: true });
  expect(await eraseAll(value)).toEqual({ erased: 1, held: [second] });
  expect(await asOwner.get(`/api/v1/forms/${first}/submissions/${listed}`)).toMatchObject({ status: 404 });
  expect(await asOwner.get(`/api/v1/forms/${first}/submissions/${stays}`)).toMatchObject({ status: 200 });
});

it('those who run the instance find and erase what a person sent to a form of any workspace, and nobody else does', async () => {
  const { person } = await instanceAdmin();
  const { id: workspace_id } = (await person.post('/app/v1/workspaces', { name: 'Elsewhere' })).body as { id: string };
  expect(await person.patch('/api/v1/auth/workspace', { workspace_id })).toMatchObject({ status: 200 });
  const form = await given.publishedForm({}, person);
  expect(await asOwner.get(`/app/v1/forms/${form}`)).toMatchObject({ status: 403 });
  const value = `ada.${Date.now()}@example.net`;
  await given.submission(form, { name: value });

  await eventually(async () => expect(await found(asOwner, value)).toMatchObject([{ form_id: form, data: { name: value } }]));
  const admin = await asMember('admin');
  expect(await found(admin, value)).toEqual([]);
  expect(await admin.post('/app/v1/subjects/erase', { value })).toMatchObject({ status: 202, body: { erased: 0 } });
  expect(await eraseAll(value)).toEqual({ erased: 1, held: [] });
  expect(await found(person, value)).toEqual([]);
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
