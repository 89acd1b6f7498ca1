import { eventually, soonMs, startSubscriber, type Person, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { acceptedInvitation, asMember, asOwner, asOwnerSignedIn, credentials } from '../../support/people';
import { attemptAt, type Webhook } from '../../support/webhooks';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

const move = async (form: string, workspace_id: string, as?: Person) =>
  (as ?? (await asOwnerSignedIn())).put(`/app/v1/forms/${form}/workspace`, { workspace_id });

describe('moving a form', () => {
  it('takes access and webhooks along within a second', async () => {
    const { id: folder_id } = await given.folder();
    const form = await given.publishedForm();
    await asOwner.patch(`/api/v1/forms/${form}`, { folder_id });
    const [stays, joins] = [await acceptedInvitation('editor'), await acceptedInvitation('viewer')];
    const target = await given.workspace();
    await (await asOwnerSignedIn()).post(`/app/v1/workspaces/${target}/members`, { email: joins.email, role: 'editor' });
    const hookOf = async (as: Person, path: string) =>
      (await as.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: `${subscriber.url}${path}` }))
        .body as Webhook;
    const [ends, lasts] = [await hookOf(stays.person, '/ends'), await hookOf(asOwner, '/lasts')];
    expect(await stays.person.get(`/app/v1/forms/${form}/submissions`)).toMatchObject({ status: 200 });

    expect(await move(form, target)).toMatchObject({ status: 200, body: { id: form, role: 'owner' } });
    expect((await asOwner.get(`/api/v1/forms/${form}`)).body).not.toHaveProperty('folder_id');
    await eventually(async () => {
      for (const path of [`/api/v1/forms/${form}`, `/app/v1/forms/${form}/submissions`, `/app/v1/forms/${form}/deliveries`])
        expect(await stays.person.get(path)).toMatchObject({ status: 403 });
      expect(await joins.person.get(`/app/v1/forms/${form}/submissions`)).toMatchObject({ status: 200 });
    }, soonMs);
    await eventually(async () => {
      const { body } = await asOwner.get(`/app/v1/forms/${form}/webhooks`);
      const states = new Map((body as { data: Webhook[] }).data.map(({ id, active }) => [id, active]));
      expect([states.get(ends.id), states.get(lasts.id)]).toEqual([false, true]);
    }, soonMs);

    const submission = await given.submission(form);
    await subscriber.waitFor(1, attemptAt('/lasts', submission));
    expect(subscriber.received.filter(attemptAt('/ends', submission))).toEqual([]);
    expect(await asOwner.get(`/app/v1/forms?workspace_id=${target}`)).toMatchObject({
      body: { data: [{ id: form, submissions: { total: 1 } }] },
    });
    expect(await asOwner.get(`/app/v1/audit-log?target_id=${form}`)).toMatchObject({
      body: { data: expect.arrayContaining([expect.objectContaining({ action: 'form.moved', workspace_id: target })]) as unknown },
    });
  });

  it('is refused to an owner who is not in the other workspace, and to an editor who would own it there', async () => {
    const form = await given.publishedForm();
    const admin = await asMember('admin');
    expect(await move(form, await given.workspace(), admin)).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', message: 'Your role does not allow you to move forms into this workspace.' } },
    });
    expect(await move(form, credentials.workspace_id, admin)).toMatchObject({ status: 200 });
    const { person: editor, email } = await acceptedInvitation('editor');
    const theirs = await given.workspace();
    await (await asOwnerSignedIn()).post(`/app/v1/workspaces/${theirs}/members`, { email, role: 'admin' });
    expect(await move(form, theirs, editor)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });

  it('is refused to a key, whose holder would give the form to the people of the other workspace', async () => {
    const form = await given.publishedForm();
    expect(await move(form, await given.workspace(), asOwner)).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', message: 'This operation requires a session; a key is not enough.' } },
    });
  });

  it('is refused under legal hold', async () => {
    const form = await given.publishedForm();
    await asOwner.patch(`/app/v1/forms/${form}`, { legal_hold: true });
    expect(await move(form, await given.workspace())).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  });
});

it('a person keeps a form among their favourites', async () => {
  const form = await given.publishedForm();
  const viewer = await asMember('viewer');
  const favourites = async () => (await viewer.get('/app/v1/forms?favorite=true')).body;
  for (const _ of ['once', 'again']) expect(await viewer.put(`/app/v1/forms/${form}/favorite`)).toMatchObject({ status: 204 });
  expect(await favourites()).toMatchObject({ data: [{ id: form, favorite: true }], total: 1 });
  expect(await asOwner.get(`/api/v1/forms/${form}`)).toMatchObject({ body: { favorite: false } });
  for (const _ of ['once', 'again']) expect(await viewer.delete(`/app/v1/forms/${form}/favorite`)).toMatchObject({ status: 204 });
  expect(await favourites()).toEqual({ data: [], total: 0, next_cursor: null });
});
