import { randomUUID } from 'node:crypto';
import * as given from '../../support/given';
import { acceptedInvitation, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials } from '../../support/people';
import type { Person } from '@sheaf/testing';

interface Page {
  data: { id: string; title: string }[];
  next_cursor: string | null;
}
const find = async (query: string, as: Person = asOwner) => {
  const { status, body } = await as.get(`/app/v1/forms?${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as Page;
};

it('a person finds a form by its title, and sees what is new in it', async () => {
  const title = `Visit ${randomUUID()}`;
  const id = await given.publishedForm({ title });
  const viewer = await asMember('viewer');
  const q = `q=${encodeURIComponent(title.toUpperCase())}`;
  expect(await find(q, viewer)).toEqual({
    data: [
      expect.objectContaining({
        id,
        title,
        role: 'viewer',
        workspace_id: credentials.workspace_id,
        favorite: false,
        unpublished_changes: false,
        submissions: { total: 0, new: 0, spam: 0 },
      }),
    ],
    total: 1,
    next_cursor: null,
  });

  const submission = await given.submission(id);
  await given.submission(id);
  await asOwner.patch(`/api/v1/forms/${id}/submissions/${submission}/status`, { status: 'approved' });
  expect(await find(q, viewer)).toMatchObject({
    data: [{ submissions: { total: 2, new: 1, spam: 0 }, last_submission_at: expect.any(String) as unknown }],
  });
});

it('a person reads everything about one form in one request', async () => {
  const { id: folder } = await given.folder();
  const id = await given.publishedForm({ title: 'One form' });
  await asOwner.patch(`/api/v1/forms/${id}`, { folder_id: folder, slug: `form-${id}`, favorite: true });
  await asOwner.patch(`/app/v1/forms/${id}`, { description: 'About it.' });
  await given.submission(id);
  const { body } = await asOwner.get(`/app/v1/forms/${id}`);
  expect(body).toEqual({
    ...((await asOwner.get(`/api/v1/forms/${id}`)).body as object),
    description: 'About it.',
    workspace_id: credentials.workspace_id,
    unpublished_changes: false,
    submissions: { total: 1, new: 1, spam: 0 },
    last_submission_at: expect.any(String) as unknown,
  });
  expect(body).toMatchObject({ folder_id: folder, slug: `form-${id}`, favorite: true, role: 'owner', current_version: 1 });

  const { revision } = (await asOwner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number };
  await asOwner.put(`/app/v1/forms/${id}/draft`, { fields: [], revision });
  expect((await asOwner.get(`/app/v1/forms/${id}`)).body).toMatchObject({ unpublished_changes: true });
  expect((await (await asMember('viewer')).get(`/app/v1/forms/${id}`)).body).toMatchObject({ role: 'viewer', favorite: false });
});

it('a person reads the forms of a folder page by page, in the order of their titles', async () => {
  const { id: folder } = await given.folder();
  for (const title of ['Zebra', 'Ärger', 'Apfel']) await asOwner.post('/api/v1/forms', { title, folder_id: folder });
  const first = await find(`folder_id=${folder}&sort=title&limit=2`);
  expect(first).toMatchObject({ data: [{ title: 'Apfel' }, { title: 'Ärger' }], total: 3 });
  expect(await find(`folder_id=${folder}&sort=title&limit=2&cursor=${first.next_cursor}`)).toMatchObject({
    data: [{ title: 'Zebra' }],
    next_cursor: null,
  });
  expect(await asOwner.get(`/app/v1/forms?folder_id=${folder}&sort=-title&limit=2&cursor=${first.next_cursor}`)).toMatchObject({
    status: 400,
    body: { error: { message: 'cursor: must be a next_cursor of this list' } },
  });
});

it('a person from another workspace finds what was shared with them', async () => {
  const owner = await asOwnerSignedIn();
  const form = await given.publishedForm({ title: 'Shared' });
  const { userId, person } = await acceptedInvitation('viewer');
  const other = (await owner.post('/app/v1/workspaces', { name: 'Elsewhere' })).body as { id: string };
  await owner.post(`/app/v1/workspaces/${other.id}/members`, { email: await emailOf(person), role: 'viewer' });
  await owner.put(`/app/v1/forms/${form}/grants/${userId}`, { role: 'editor' });
  expect(await find('shared=true', person)).toMatchObject({ data: [] });
  await owner.delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${userId}`);
  expect(await find('shared=true', person)).toMatchObject({ data: [{ id: form, role: 'editor' }], total: 1 });
});

const emailOf = async (person: Person) => ((await person.get('/api/v1/auth/me')).body as { email: string }).email;

it('a program that may only read forms sees counts too', async () => {
  const id = await given.publishedForm();
  await given.submission(id);
  const robot = await asServiceAccount('forms:read');
  expect(await find('sort=created&limit=1', robot)).toMatchObject({ data: [{ submissions: { total: expect.any(Number) as unknown } }] });
});

it.each([
  ['sort=name', 'sort: must be one of updated, -updated, created, -created, title, -title'],
  ['favorite=yes', 'favorite: must be one of true, false'],
  ['status=lost', 'status: must be one of active, archived, disabled, trashed'],
  ['q=', 'q: must have between 1 and 200 characters'],
  ['limit=101', 'limit: must be between 1 and 100'],
  ['folder=none', 'folder: is not a parameter of this operation'],
  ['cursor=AAAA', 'cursor: must be a next_cursor of this list'],
])('is told what is wrong with ?%s', async (query, message) => {
  expect(await asOwner.get(`/app/v1/forms?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
});
