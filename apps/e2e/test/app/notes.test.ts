import * as given from '../../support/given';
import { acceptedInvitation, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials } from '../../support/people';

it('members write notes about a submission, which everybody with a role on the form reads', async () => {
  const form = await given.publishedForm();
  const path = `/app/v1/forms/${form}/submissions/${await given.submission(form)}`;
  const editor = await asMember('editor');
  const written = await editor.post(`${path}/notes`, { text: '  Called her on Monday.  ' });
  expect(written).toMatchObject({ status: 201, body: { text: 'Called her on Monday.', author: { kind: 'user' } } });
  const { id } = written.body as { id: string };

  const viewer = await asMember('viewer');
  expect((await viewer.get(`${path}/notes`)).body).toMatchObject({
    data: [{ id, text: 'Called her on Monday.' }],
    total: 1,
    next_cursor: null,
  });
  expect((await viewer.get(path)).body).toMatchObject({ notes: 1 });
  expect(await viewer.post(`${path}/notes`, { text: 'Me too.' })).toMatchObject({ status: 403 });

  expect(await asOwner.patch(`${path}/notes/${id}`, { text: 'Wrote to her.' })).toMatchObject({
    status: 403,
    body: { error: { message: 'Only its author may change a note.' } },
  });
  expect((await editor.patch(`${path}/notes/${id}`, { text: 'Called her on Tuesday.' })).body).toHaveProperty('edited_at');
  expect(await asOwner.delete(`${path}/notes/${id}`)).toMatchObject({ status: 204 });
  expect((await viewer.get(`/api/v1/forms/${form}/submissions`)).body).not.toHaveProperty('data.0.notes');
});

it.each([
  [{}, 'text: is required'],
  [{ text: ' ' }, 'text: must have between 1 and 5000 characters'],
  [{ text: 'x'.repeat(5_001) }, 'text: must have between 1 and 5000 characters'],
])('a note is refused: %j', async (body, message) => {
  const form = await given.publishedForm();
  const path = `/app/v1/forms/${form}/submissions/${await given.submission(form)}/notes`;
  expect(await asOwner.post(path, body)).toMatchObject({ status: 400, body: { error: { message } } });
});

describe('a submission', () => {
  it('is assigned to a person with a role on the form, who stays named after losing it', async () => {
    const form = await given.publishedForm();
    const path = `/app/v1/forms/${form}/submissions/${await given.submission(form)}`;
    const { userId } = await acceptedInvitation('viewer');
    const editor = await asMember('editor');
    expect(await editor.put(`${path}/assignee`, { user_id: userId })).toMatchObject({ status: 200, body: { assignee: userId } });

    const owner = await asOwnerSignedIn();
    expect((await owner.delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${userId}`)).status).toBe(204);
    expect((await editor.get(`/app/v1/forms/${form}/submissions?assignee=${userId}`)).body).toMatchObject({ data: [{ assignee: userId }] });
    expect(await editor.put(`${path}/assignee`, { user_id: credentials.user.id })).toMatchObject({ status: 200 });
    for (const nobody of [userId, form, 'ada'])
      expect(await editor.put(`${path}/assignee`, { user_id: nobody })).toMatchObject({
        status: 400,
        body: { error: { message: 'user_id: must be a person with a role on the form' } },
      });
    expect((await editor.put(`${path}/assignee`, { user_id: null })).body).not.toHaveProperty('assignee');
  });

  it('is assigned by a service account with submissions:write alone', async () => {
    const form = await given.publishedForm();
    const path = `/app/v1/forms/${form}/submissions/${await given.submission(form)}/assignee`;
    const robot = await asServiceAccount('submissions:write');
    expect(await robot.put(path, { user_id: credentials.user.id })).toMatchObject({ status: 200, body: { assignee: credentials.user.id } });
  });
});
