import { eventually, soonMs, type Person } from '@sheaf/testing';
import { EventSource } from '../../support/event-source';
import * as given from '../../support/given';
import { asOutsider } from '../../support/outsider';
import { acceptedInvitation, asMember, asOwner, asOwnerSignedIn, credentials } from '../../support/people';

let open: EventSource[] = [];
afterEach(() => {
  for (const source of open) source.close();
  open = [];
});

/**
 * Begins to listen. Resolves once whatever happens from now on will be heard. Changes of the moment before may be heard as well, so tests
 * that compare all changes of a form listen before they create it.
 */
async function listen(person: Person, lastEventId?: string, options?: { comesBack: boolean }): Promise<EventSource> {
  const source = await EventSource.open(person, lastEventId, options);
  open.push(source);
  if (source.status === 200) await eventually(() => expect(source.lastEventId).toBeDefined());
  return source;
}

/** Listens as a screen does. Another test may give the same person a role, or move a form, which ends their streams. */
const listenOn = (person: Person): Promise<EventSource> => listen(person, undefined, { comesBack: true });

const about = (source: EventSource, form: string) =>
  source.changes.filter((change) => (change as { form_id: string }).form_id === form).map((change) => change as Record<string, unknown>);
/** The kinds of changes, each once: events are sent at least once, so a screen may hear of a change again. */
const namesIn = (source: EventSource, form: string) =>
  [...new Set(about(source, form).map(({ kind, action }) => `${String(kind)}.${String(action)}`))].sort();
/** The events heard of a form that `given.publishedForm` creates. */
const changesOfPublishing = ['draft.saved', 'form.created', 'form.published'];

it('screens hear what changes on forms, and never what was answered', async () => {
  const [viewer, editor] = [await listenOn(await asMember('viewer')), await listenOn(await asMember('editor'))];
  const form = await given.publishedForm();
  const id = await given.submission(form, { name: 'A secret answer' });
  await eventually(() =>
    expect(about(viewer, form)).toContainEqual({ kind: 'submission', action: 'created', form_id: form, submission_id: id }),
  );

  const path = `/app/v1/forms/${form}/submissions/${id}`;
  await asOwner.patch(path, { data: { name: 'Another secret' }, revision: 0 });
  await asOwner.post(`${path}/notes`, { text: 'A secret note' });
  await asOwner.patch(`/api/v1/forms/${form}/submissions/${id}/status`, { status: 'approved' });
  await asOwner.delete(`/api/v1/forms/${form}/submissions/${id}`);
  await asOwner.post(`${path}/restore`);
  await asOwner.put(`${path}/spam`, { spam: true });
  await asOwner.put(`/app/v1/forms/${form}/draft`, { fields: [], revision: 1 });
  await asOwner.put(`${path}/assignee`, { user_id: credentials.user.id });
  await asOwner.put(`/app/v1/forms/${form}/grants/${credentials.user.id}`, { role: 'editor' });
  const ofBoth = [
    ...changesOfPublishing,
    'submission.assigned',
    'submission.corrected',
    'submission.created',
    'submission.deleted',
    'submission.marked_as_spam',
    'submission.note_added',
    'submission.restored',
    'submission.status_changed',
  ];
  await eventually(() => expect(namesIn(editor, form)).toEqual([...ofBoth, 'grant.given'].sort()));
  await eventually(() => expect(namesIn(viewer, form)).toEqual(ofBoth.sort()));
  expect(JSON.stringify([viewer.received, editor.received])).not.toContain('ecret');
});

it('a person without a role on a form hears nothing of it', async () => {
  const [owner, outsider] = [await listenOn(asOwner), await listenOn(await asOutsider())];
  const form = await given.publishedForm();
  await given.submission(form);
  await eventually(() => expect(namesIn(owner, form)).toEqual([...changesOfPublishing, 'submission.created']));
  expect(about(outsider, form)).toEqual([]);
});

it('a screen that comes back continues after the last event that it has, and otherwise begins anew', async () => {
  const first = await listenOn(asOwner);
  const form = await given.publishedForm();
  await eventually(() => expect(namesIn(first, form)).toEqual(changesOfPublishing));
  first.close();
  const id = await given.submission(form);
  const second = await EventSource.open(asOwner, first.lastEventId, { comesBack: true });
  open.push(second);
  await eventually(() => expect(about(second, form)).toContainEqual(expect.objectContaining({ action: 'created', submission_id: id })));
  expect(second.received.filter(({ event }) => event === 'reset')).toEqual([]);

  const lost = await listen(asOwner, 'zzz-1');
  // Changes by other tests may follow.
  expect(lost.received[0]).toMatchObject({ event: 'reset', data: {} });
});

describe('a stream ends within a second', () => {
  it('with the session', async () => {
    const member = await asMember('viewer');
    const source = await listen(member);
    await member.delete('/app/v1/sessions/current');
    await eventually(() => expect(source.hasEnded).toBe(true), soonMs);
    expect((await EventSource.open(member)).status).toBe(401);
  });

  it('with the membership', async () => {
    const { userId, person } = await acceptedInvitation('viewer');
    const source = await listen(person);
    await (await asOwnerSignedIn()).delete(`/app/v1/workspaces/${credentials.workspace_id}/members/${userId}`);
    await eventually(() => expect(source.hasEnded).toBe(true), soonMs);
  });

  it('with a grant', async () => {
    const form = await given.publishedForm();
    const outsider = await asOutsider();
    const { id } = (await outsider.get('/api/v1/auth/me')).body as { id: string };
    await asOwner.put(`/app/v1/forms/${form}/grants/${id}`, { role: 'viewer' });
    const source = await listen(outsider);
    await given.submission(form);
    await eventually(() => expect(namesIn(source, form)).toContain('submission.created'));
    await asOwner.delete(`/app/v1/forms/${form}/grants/${id}`);
    await eventually(() => expect(source.hasEnded).toBe(true), soonMs);
    const [again, owner] = [await listenOn(outsider), await listenOn(asOwner)];
    const next = await given.submission(form);
    await eventually(() => expect(about(owner, form)).toContainEqual(expect.objectContaining({ submission_id: next })));
    expect(about(again, form)).toEqual([]);
  });
});

it('a person may have ten streams open', async () => {
  const member = await asMember('viewer');
  for (let n = 0; n < 10; n++) await listen(member);
  expect((await EventSource.open(member)).status).toBe(429);
  open[0]?.close();
  await eventually(async () => expect((await listen(member)).status).toBe(200));
});
