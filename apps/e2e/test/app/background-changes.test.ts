import { eventually, type Person } from '@sheaf/testing';
import * as given from '../../support/given';
import { db } from '../../support/operator';
import { acceptedInvitation, asMember, asOwner, asOwnerSignedIn, credentials } from '../../support/people';

interface BulkChange {
  id: string;
  state: string;
  reason?: string;
}

const begin = async (person: Person, form: string, body: object, query = '') =>
  (await person.post(`/app/v1/forms/${form}/bulk-changes${query}`, body)).body as BulkChange;
const over = (form: string, id: string) =>
  eventually(async () => {
    const { body } = await asOwner.get(`/app/v1/forms/${form}/bulk-changes/${id}`);
    expect(['done', 'failed']).toContain((body as BulkChange).state);
    return body as BulkChange;
  });
const statusesOf = async (form: string) =>
  ((await asOwner.get(`/app/v1/forms/${form}/submissions`)).body as { data: { status: string }[] }).data.map(({ status }) => status);

it('an editor changes all submissions that a search finds, and takes it back', async () => {
  const form = await given.publishedForm();
  const editor = await asMember('editor');
  for (const _ of [1, 2, 3]) await given.submission(form);
  const { id } = await begin(editor, form, { action: 'set_status', new_status: 'approved' }, '?status=new');
  expect(await over(form, id)).toMatchObject({ state: 'done', total: 3, changed: 3 });
  expect(await statusesOf(form)).toEqual(['approved', 'approved', 'approved']);

  const { body: back } = await asOwner.post(`/app/v1/forms/${form}/bulk-changes/${id}/undo`);
  expect(await over(form, (back as BulkChange).id)).toMatchObject({ state: 'done', changed: 3, undoes: id });
  expect(await statusesOf(form)).toEqual(['new', 'new', 'new']);

  expect(await editor.post(`/app/v1/forms/${form}/bulk-changes`, { action: 'assign', new_assignee: id })).toMatchObject({
    status: 400,
    body: { error: { message: 'new_assignee: must be a person with a role on the form' } },
  });
});

it('the end of a membership reaches the service that changes in the background', async () => {
  const { userId } = await acceptedInvitation('editor');
  await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${userId}`);
  const heard = `select roles from heard_standing where principal_id = '${userId}' and roles::text = '{}'`;
  await eventually(async () =>
    expect((await db(process.env.E2E_DATA_DIR ?? '', ['submissions', '-c', heard])).stdout).toContain('(1 row)'),
  );
});
