import { eventually, startSubscriber, type Person } from '@sheaf/testing';
import * as given from '../../support/given';
import { acceptedInvitation, anyone, asMember, asOwner, asOwnerSignedIn, asServiceAccount, credentials } from '../../support/people';
import { uploadedFile } from '../../support/uploads';

interface Entry {
  action: string;
  actor: { kind: string; id?: string; name?: string; email?: string; via?: string };
  target: { kind: string; id: string };
  form_id?: string;
  address?: string;
  request_id: string;
  details?: Record<string, unknown>;
}

const sentFrom = (address: string) => ({ 'x-forwarded-for': address });
const entries = async (query: string, as: Person = asOwner): Promise<Entry[]> => {
  const { status, body } = await as.get(`/app/v1/audit-log?limit=100&${query}`);
  if (status !== 200) throw new Error(`reading the audit log answered ${status} ${JSON.stringify(body)}`);
  return (body as { data: Entry[] }).data;
};
/** Waits for the entries, which arrive after the changes that they record. */
const waitForActions = (query: string, actions: readonly string[]): Promise<Entry[]> =>
  eventually(async () => {
    const found = await entries(query);
    expect(found.map(({ action }) => action)).toEqual(actions);
    return found;
  });

it('shows an owner which editor published a form and from which address, and is closed to the editor', async () => {
  const form = await given.publishedForm();
  const { userId, person: editor } = await acceptedInvitation('editor');

  const published = await editor.post(`/api/v1/forms/${form}/publish`, undefined, {
    ...sentFrom('203.0.113.7'),
    'x-request-id': 'req-of-the-editor',
  });
  expect(published).toMatchObject({ status: 200 });

  const [entry] = await waitForActions(`target_id=${form}&actor_id=${userId}`, ['form.published']);
  expect(entry).toMatchObject({
    actor: { kind: 'user', id: userId, name: 'The editor', via: 'session' },
    target: { kind: 'form', id: form },
    form_id: form,
    address: '203.0.113.7',
    request_id: 'req-of-the-editor',
    details: { version: 2 },
  });
  expect(await editor.get('/app/v1/audit-log')).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect(await (await asMember('admin')).get('/app/v1/audit-log?limit=1')).toMatchObject({ status: 200, body: { limit: 1, offset: 0 } });
});

it('contains each change to a form and its submissions and subscriptions once, in order', async () => {
  const subscriber = await startSubscriber();
  const form = await given.publishedForm();
  const copy = ((await asOwner.post(`/api/v1/forms/${form}/duplicate`)).body as { id: string }).id;
  const submission = await given.submission(form);
  await asOwner.patch(`/api/v1/forms/${form}`, { title: 'A new title', favorite: true });
  await asOwner.patch(`/api/v1/forms/${form}/submissions/${submission}/status`, { status: 'approved' });
  await asOwner.delete(`/api/v1/forms/${form}/submissions/${submission}`);
  const hook = await given.subscription(form, subscriber.url);
  await asOwner.delete(`/api/v1/hooks/${hook}`);
  await asOwner.delete(`/api/v1/forms/${form}`);
  await subscriber.close();

  // The newest first, also among entries with the same time.
  const done = await waitForActions(`target_id=${form}`, ['form.trashed', 'form.updated', 'form.published', 'draft.saved', 'form.created']);
  expect(done.map(({ details }) => details)).toEqual([undefined, { changed: ['title'] }, { version: 1 }, { revision: 1 }, undefined]);
  await waitForActions(`target_id=${copy}`, ['form.created']);
  const [, changed] = await waitForActions(`target_id=${submission}`, ['submission.deleted', 'submission.status_changed']);
  expect(changed).toMatchObject({ form_id: form, details: { from_status: 'new', to_status: 'approved' } });
  await waitForActions(`target_id=${hook}`, ['hook.unsubscribed', 'hook.subscribed']);
});

it('records exports and downloads, but no HEAD requests', async () => {
  const form = await given.publishedForm({ fields: [{ key: 'cv', label: 'Your CV', type: 'file' }] });
  const file = await uploadedFile(form, 'cv');
  await given.submission(form, { cv: file });
  const robot = await asServiceAccount('submissions:read');
  const paths = [`/app/v1/forms/${form}/submissions/export?format=csv`, `/app/v1/forms/${form}/files/${file}`];
  // HEAD gets the same status as GET, but exports no data.
  for (const path of paths) {
    const head = await robot.offTheMap.send('HEAD', path);
    expect({ status: head.status, body: head.body }).toEqual({ status: 200, body: undefined });
    const got = await robot.get(path);
    expect(got).toMatchObject({ status: 200 });
    for (const name of ['content-type', 'content-disposition', 'content-length'])
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)]);
  }
  expect(await robot.offTheMap.send('HEAD', `/app/v1/forms/${form}/files/${form}`)).toMatchObject({ status: 404 });

  const [exported] = await waitForActions(`target_id=${form}&action=submissions.exported`, ['submissions.exported']);
  expect(exported).toMatchObject({ actor: { kind: 'service_account', id: robot.id }, form_id: form, details: { format: 'csv' } });
  const [downloaded] = await waitForActions(`target_id=${file}`, ['file.downloaded']);
  expect(downloaded).toMatchObject({ actor: { id: robot.id }, target: { kind: 'file', id: file }, form_id: form });
});

it('records whom a form was shared with and which properties of a webhook changed, but not its address', async () => {
  const form = await given.publishedForm();
  const { userId } = await acceptedInvitation('viewer');
  await asOwner.put(`/app/v1/forms/${form}/grants/${userId}`, { role: 'editor' });
  await asOwner.delete(`/app/v1/forms/${form}/grants/${userId}`);
  const shared = await waitForActions(`target_id=${userId}&actor_id=${credentials.user.id}`, [
    'grant.removed',
    'grant.given',
    'member.added',
  ]);
  expect(shared).toMatchObject([
    { form_id: form },
    { form_id: form, target: { kind: 'grant', id: userId }, details: { role: 'editor' } },
    {},
  ]);

  const subscriber = await startSubscriber();
  const hooks = `/app/v1/forms/${form}/webhooks`;
  const { id } = (await asOwner.post(hooks, { event: 'submission.updated', target_url: subscriber.url })).body as { id: string };
  await asOwner.patch(`${hooks}/${id}`, { active: false, target_url: `${subscriber.url}/other`, event: 'submission.updated' });
  await asOwner.patch(`${hooks}/${id}`, { active: false });
  await asOwner.delete(`${hooks}/${id}`);
  await subscriber.close();
  const changes = await waitForActions(`target_id=${id}`, ['webhook.deleted', 'webhook.updated', 'webhook.created']);
  expect(changes.map(({ details }) => details)).toEqual([
    { event: 'submission.updated' },
    { event: 'submission.updated', changed: ['active', 'target_url'] },
    { event: 'submission.updated' },
  ]);
});

it('records that delivery deactivated a hook because its subscriber is gone', async () => {
  const subscriber = await startSubscriber();
  subscriber.answer(410);
  const form = await given.publishedForm();
  const hook = await given.subscription(form, subscriber.url);
  await given.submission(form);

  const [entry] = await waitForActions(`target_id=${hook}`, ['hook.deactivated', 'hook.subscribed']);
  expect(entry).toMatchObject({ actor: { kind: 'service', id: 'delivery' }, form_id: form, details: { reason: 'gone' } });
  await subscriber.close();
});

it('records no submissions, reads, favourites or rejected requests', async () => {
  const form = await given.publishedForm();
  const viewer = await asMember('viewer');
  const submission = await given.submission(form, { name: 'A private answer' });
  await viewer.get(`/api/v1/forms/${form}/submissions`);
  await viewer.delete(`/api/v1/forms/${form}`);
  await asOwner.patch(`/api/v1/forms/${form}`, { favorite: true });
  // The entry for the last change arrives last.
  await asOwner.post(`/api/v1/forms/${form}/publish`);

  await waitForActions(`target_id=${form}`, ['form.published', 'form.published', 'draft.saved', 'form.created']);
  expect(await entries(`target_id=${submission}`)).toEqual([]);
});

it('contains no secret: no password, session, key, invitation or subscriber address', async () => {
  const address = sentFrom('203.0.113.8');
  const secrets = [credentials.user.password, 'wrong-but-close-password', 'typed-into-the-wrong-field', 'a-secret-in-the-path'];
  const owner = await asOwnerSignedIn();

  await anyone.post('/app/v1/sessions', { email: credentials.user.email, password: secrets[1] }, address);
  await anyone.post('/app/v1/sessions', { email: secrets[2], password: secrets[2] }, address);
  const { token } = (await anyone.post('/app/v1/sessions', { email: credentials.user.email, password: credentials.user.password }, address))
    .body as { token: string };
  const { id, key } = (await owner.post('/app/v1/api-keys', { name: 'Nightly' }, address)).body as { id: string; key: string };
  const account = (await owner.post('/app/v1/service-accounts', { name: 'Robot', scopes: ['forms:read'] }, address)).body as {
    id: string;
    key: string;
  };
  const added = (
    await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email: 'secretive@example.org', role: 'viewer' }, address)
  ).body as { invitation_url: string };
  const invitation = added.invitation_url.split('/').at(-1) ?? '';
  await anyone.post(`/app/v1/invitations/${invitation}`, { name: 'Vera', password: 'a good long password' }, address);
  const subscriber = await startSubscriber();
  const hook = await given.subscription(await given.publishedForm(), `${subscriber.url}/a-secret-in-the-path`);
  await subscriber.close();
  await owner.delete(`/app/v1/api-keys/${id}`);

  for (const target of [id, account.id, hook]) await eventually(async () => expect(await entries(`target_id=${target}`)).not.toEqual([]));
  await eventually(async () => {
    const actions = (await entries('')).filter((entry) => entry.address === '203.0.113.8').map(({ action }) => action);
    expect(actions.sort()).toEqual([
      'api_key.created',
      'invitation.accepted',
      'member.added',
      'service_account.created',
      'session.created',
      'session.created',
      'session.failed',
      'session.failed',
    ]);
  });

  const { body } = await asOwner.get('/app/v1/audit-log?limit=1');
  let wholeLog = '';
  for (let offset = 0; offset < (body as { total: number }).total; offset += 100)
    wholeLog += JSON.stringify(await entries(`offset=${offset}`));
  for (const secret of [...secrets, token, key, account.key, invitation, 'a good long password']) {
    expect({ secret, found: wholeLog.includes(secret) }).toEqual({ secret, found: false });
  }
});

it.each([
  ['action=form.eaten', 'action.0: must be one of '],
  ['from=yesterday', 'from: must be an RFC 3339 date-time with an offset'],
  ['to=2026-01-01', 'to: must be an RFC 3339 date-time with an offset'],
  ['limit=101', 'limit: must be between 1 and 100'],
])('rejects the filter %s and names the fault', async (query, message) => {
  expect(await asOwner.get(`/app/v1/audit-log?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', message: expect.stringContaining(message) as unknown } },
  });
});
