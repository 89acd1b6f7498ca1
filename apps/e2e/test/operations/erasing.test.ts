import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import { Eraser } from '../../support/erasing';
import { sharedSystem, type SharedSystem } from '../../support/shared-system';

// The databases, stream, files and logs of a system are searched for what was erased: of one in which little else is stored.

let system: SharedSystem;
let subscriber: Subscriber;
let eraser: Eraser;
beforeAll(async () => {
  subscriber = await startSubscriber();
  system = await sharedSystem('shop');
  eraser = new Eraser(system, subscriber);
});
afterAll(() => subscriber.close());

const send = (...request: Parameters<Eraser['send']>) => eraser.send(...request);
const sendAs = (...request: Parameters<Eraser['sendAs']>) => eraser.sendAs(...request);
const placesWith = (text: string) => eraser.placesWith(text);
const aForm = () => eraser.aForm();
const markedSubmission = (form: string, marker: string) => eraser.markedSubmission(form, marker);

const doneErasing = (id: string) =>
  eventually(async () => {
    const { body } = await send('GET', `/app/v1/erasures/${id}`);
    expect(body).toMatchObject({ state: 'done' });
  });

it('an erased submission is in no table, stream, file or log any more, and another one is everywhere it was', async () => {
  const [gone, stays] = [`gone${Date.now()}`, `stays${Date.now()}`];
  const form = await aForm();
  const id = await markedSubmission(form, gone);
  await markedSubmission(form, stays);
  for (const marker of [gone, stays])
    await eventually(async () =>
      expect(await placesWith(marker)).toEqual(expect.arrayContaining(['submissions.submission', 'submissions.search_entry'])),
    );
  const before = await placesWith(gone);
  expect(before).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^delivery\.event_/),
      expect.stringMatching(/^delivery\.attempt_/),
      expect.stringMatching(/^nats/),
      expect.stringMatching(/^files/),
    ]),
  );
  const others = await placesWith(stays);

  await send('DELETE', `/api/v1/forms/${form}/submissions/${id}`);
  const { status, body } = await send('DELETE', `/app/v1/forms/${form}/submissions/${id}?forever=true`);
  expect(status).toBe(202);
  await doneErasing(body.erasure_id);

  expect(await placesWith(gone)).toEqual([]);
  expect(await placesWith(stays)).toEqual(others);
  const { body: log } = await send('GET', `/app/v1/audit-log?target_id=${id}&action=submission.erased`);
  expect(log).toMatchObject({ total: 1, data: [{ target: { kind: 'submission', id }, details: { erasure: body.erasure_id } }] });
});

it("a person's submissions, erased by what they answered, are nowhere any more, and those of others are everywhere they were", async () => {
  const [gone, stays] = [`subject${Date.now()}`, `other${Date.now()}`];
  const form = await aForm();
  const id = await markedSubmission(form, gone);
  await markedSubmission(form, stays);
  await eventually(async () => expect(await placesWith(stays)).toEqual(expect.arrayContaining(['submissions.search_entry'])));
  const others = await placesWith(stays);

  const value = `Grace ${gone}`;
  const erase = () => send('POST', '/app/v1/subjects/erase', { value });
  const { body } = await eventually(async () => {
    const reply = await erase();
    expect(reply).toMatchObject({ status: 202, body: { erased: 1, held_form_ids: [] } });
    return reply as unknown as { body: { erasure_ids: string[] } };
  });
  for (const erasure of body.erasure_ids) await doneErasing(erasure);

  expect(await placesWith(gone)).toEqual([]);
  expect(await placesWith(stays)).toEqual(others);
  expect(await send('GET', `/app/v1/forms/${form}/submissions/${id}`)).toMatchObject({ status: 404 });
});

it('an instance says how long its forms keep submissions, and the log has each change', async () => {
  const path = '/app/v1/instance/retention';
  const days = ({ status, body }: { status: number; body: object }) => {
    const { trash_days, submissions_days, files_days } = body as Record<string, number | undefined>;
    return [status, trash_days, submissions_days, files_days];
  };
  expect(days(await send('GET', path))).toEqual([200, undefined, undefined, undefined]);
  expect(days(await send('PATCH', path, { trash_days: 30, files_days: 90 }))).toEqual([200, 30, undefined, 90]);
  expect(days(await send('PATCH', path, { files_days: null }))).toEqual([200, 30, undefined, undefined]);
  expect(await send('PATCH', path, { submissions_days: 0 })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('submissions_days: ') as string } },
  });
  expect(days(await send('PATCH', path, { trash_days: null }))).toEqual([200, undefined, undefined, undefined]);
  await eventually(async () =>
    expect((await send('GET', '/app/v1/audit-log?action=instance.updated')).body).toMatchObject({
      total: 3,
      data: [{ details: { changed: ['trash_days'] } }, { details: { changed: ['files_days'] } }, {}],
    }),
  );
});

it('needs to be said, and to be in the trash', async () => {
  const form = await aForm();
  const { body } = await send('POST', `/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
  const path = `/app/v1/forms/${form}/submissions/${body.id}`;
  expect(await send('DELETE', path)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('forever') as string } },
  });
  expect(await send('DELETE', `${path}?forever=true`)).toMatchObject({ status: 409 });
  await send('DELETE', `/api/v1/forms/${form}/submissions/${body.id}`);
  expect(await send('DELETE', `${path}?forever=yes`)).toMatchObject({ status: 400 });
  expect(await send('POST', `/app/v1/forms/${form}/submissions/bulk-erase`, { submission_ids: [body.id] })).toMatchObject({ status: 202 });
  expect(await send('DELETE', `${path}?forever=true`)).toMatchObject({ status: 404 });
});

it('an erased form is nowhere any more but in the log of what was done, and every service confirms it', async () => {
  const gone = `form${Date.now()}`;
  const form = await aForm();
  await send('PATCH', `/app/v1/forms/${form}`, { description: `About ${gone}` });
  await markedSubmission(form, gone);
  expect(await send('DELETE', `/app/v1/forms/${form}?forever=true`)).toMatchObject({ status: 409 });
  await send('DELETE', `/api/v1/forms/${form}`);
  await send('PATCH', `/app/v1/forms/${form}`, { legal_hold: true });
  expect(await send('DELETE', `/app/v1/forms/${form}?forever=true`)).toMatchObject({ status: 409 });
  await send('PATCH', `/app/v1/forms/${form}`, { legal_hold: false });
  const { body } = await send('DELETE', `/app/v1/forms/${form}?forever=true`);
  await doneErasing(body.erasure_id);

  expect(await placesWith(gone)).toEqual([]);
  expect(await send('GET', `/app/v1/forms/${form}`)).toMatchObject({ status: 404 });
  expect((await send('GET', `/app/v1/erasures/${body.erasure_id}`)).body).toMatchObject({
    kind: 'form',
    target_id: form,
    services: ['forms', 'submissions', 'hooks', 'delivery'].map((service) => ({ service, counts: {} })),
  });
  expect((await send('GET', '/app/v1/erasures?limit=1')).body).toMatchObject({
    data: [{ id: body.erasure_id }],
    next_cursor: expect.any(String) as string,
  });
});

/** Members and owners of forms are for people who are signed in. */
async function ownerSession(): Promise<string> {
  const { email, password: theirs } = system.credentials.user;
  const { body } = await sendAs(undefined, 'POST', '/app/v1/sessions', { email, password: theirs });
  return (body as unknown as { token: string }).token;
}

/** A member who has signed in, and left their name in everything that a person can. */
async function markedMember(form: string, submission: string, marker: string): Promise<{ id: string; token: string }> {
  const email = `${marker}@example.org`;
  const owner = await ownerSession();
  const members = `/app/v1/workspaces/${system.credentials.workspace_id}/members`;
  const { body: added } = await sendAs(owner, 'POST', members, { email, role: 'editor' });
  const { user_id: id, invitation_url: link } = added as unknown as { user_id: string; invitation_url: string };
  const invitation = `/app/v1/invitations/${link.split('/').at(-1) ?? ''}`;
  const { body: session } = await sendAs(undefined, 'POST', invitation, { name: `Ada ${marker}`, password });
  const { token } = session as unknown as { token: string };
  await sendAs(undefined, 'POST', '/app/v1/sessions', { email, password });
  await sendAs(token, 'PATCH', '/app/v1/me', { avatar_url: `https://example.org/${marker}.png` });
  await sendAs(token, 'POST', '/app/v1/api-keys', { name: `Key of ${marker}` });
  await sendAs(token, 'POST', `/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: `${subscriber.url}/${id}` });
  await sendAs(token, 'POST', `/app/v1/forms/${form}/submissions/${submission}/notes`, { text: 'Called them' });
  await sendAs(owner, 'PUT', `/app/v1/forms/${form}/grants/${id}`, { role: 'owner' });
  await send('PUT', `/app/v1/forms/${form}/submissions/${submission}/assignee`, { user_id: id });
  return { id, token };
}

const password = 'a good long password';

it('an erased person is nowhere any more but as an id, whoever erased them, and their forms stay', async () => {
  const form = await aForm();
  const { body: submission } = await send('POST', `/public/v1/forms/${form}/submissions`, { data: { name: 'Grace' } });
  const [gone, left] = [`person${Date.now()}`, `self${Date.now()}`];
  const person = await markedMember(form, submission.id, gone);
  const self = await markedMember(form, submission.id, left);
  const { body: theirs } = await sendAs(self.token, 'POST', '/api/v1/forms', { title: 'Their form' });
  for (const marker of [gone, left])
    await eventually(async () =>
      expect(await placesWith(marker)).toEqual(expect.arrayContaining(['workspaces.person', 'workspaces.api_key'])),
    );

  expect(await sendAs(self.token, 'DELETE', '/app/v1/me?forever=true', { password: 'wrong' })).toMatchObject({ status: 400 });
  const erasures = [
    await send('DELETE', `/app/v1/people/${person.id}?forever=true`),
    await sendAs(self.token, 'DELETE', '/app/v1/me?forever=true', { password }),
  ];
  for (const { status, body } of erasures) {
    expect(status).toBe(202);
    await doneErasing(body.erasure_id);
  }

  for (const marker of [gone, left]) await eventually(async () => expect(await placesWith(marker)).toEqual([]));
  for (const { token } of [person, self]) expect(await sendAs(token, 'PATCH', '/app/v1/me', {})).toMatchObject({ status: 401 });
  expect(await send('GET', `/app/v1/forms/${theirs.id}`)).toMatchObject({ status: 200 });
  const { body: notes } = await send('GET', `/app/v1/forms/${form}/submissions/${submission.id}/notes`);
  expect(JSON.stringify(notes)).toContain(person.id);
  const { body: log } = await send('GET', `/app/v1/audit-log?actor_id=${self.id}&limit=100`);
  const { data } = log as unknown as { data: { address?: string; actor: object }[] };
  expect(data.length).toBeGreaterThan(3);
  expect(data.filter(({ address }) => address !== undefined)).toEqual([]);
  expect(data[0]?.actor).not.toHaveProperty('email');
});

it('an erased workspace is nowhere any more, with its forms, and its log stays readable', async () => {
  const gone = `workspace${Date.now()}`;
  const { body: workspace } = await send('POST', '/app/v1/workspaces', { name: `Office ${gone}` });
  const token = await ownerSession();
  await sendAs(token, 'PATCH', '/api/v1/auth/workspace', { workspace_id: workspace.id });
  await sendAs(token, 'POST', '/api/v1/folders', { label: `Folder ${gone}` });
  const { body: form } = await sendAs(token, 'POST', '/api/v1/forms', { title: `Form ${gone}` });
  expect((await send('GET', `/app/v1/forms/${form.id}`)).status).toBe(200);
  expect(await placesWith(gone)).toEqual(expect.arrayContaining(['workspaces.workspace', 'workspaces.folder', 'forms.form']));

  await send('PATCH', `/app/v1/forms/${form.id}`, { legal_hold: true });
  expect(await send('DELETE', `/app/v1/workspaces/${workspace.id}?forever=true`)).toMatchObject({ status: 409 });
  await send('PATCH', `/app/v1/forms/${form.id}`, { legal_hold: false });
  const { status, body } = await send('DELETE', `/app/v1/workspaces/${workspace.id}?forever=true`);
  expect(status).toBe(202);
  await doneErasing(body.erasure_id);

  // The slug, made from the name, stays reserved.
  await eventually(async () => expect(await placesWith(`Office ${gone}`)).toEqual([]));
  for (const text of [`Folder ${gone}`, `Form ${gone}`]) expect(await placesWith(text)).toEqual([]);
  expect(await send('GET', `/app/v1/forms/${form.id}`)).toMatchObject({ status: 404 });
  const { body: log } = await send('GET', `/app/v1/audit-log?target_id=${form.id}&action=form.erased`);
  expect(log).toMatchObject({ total: 1, data: [{ workspace_id: workspace.id, actor: { kind: 'service', id: 'forms' } }] });
});
