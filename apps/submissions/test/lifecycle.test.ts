import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import { idsOf, Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, stranger, instanceId, clock } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const remove = (form_id: string, id: string) => started.client.deleteSubmission(callAs(owner), { form_id, id });
it('takes back what a change has changed, and nothing that was so before or that somebody has changed since', async () => {
  const form_id = started.aForm();
  const [one = '', two = '', three = '', four = ''] = await Promise.all([1, 2, 3, 4].map(async () => (await started.submit(form_id)).id));
  const all = [one, two, three, four];
  const { client } = started;
  await client.changeStatus(callAs(owner), { form_id, id: three, status: 'approved' });
  const { changed_at: if_changed_at, ...changed } = await client.changeStatuses(callAs(editor), {
    form_id,
    submission_ids: all,
    status: 'approved',
  });
  expect(changed).toEqual({ updated: [one, two, four], unchanged: [three] });
  await remove(form_id, two);
  clock.advance(1_000);
  await client.assignSubmission(callAs(owner), { form_id, id: four, user_id: owner.id });

  expect(
    await client.changeStatuses(callAs(editor), { form_id, submission_ids: changed.updated, status: 'new', if_changed_at }),
  ).toMatchObject({
    updated: [one],
    unchanged: [two, four],
  });
  expect(await client.trashSubmissions(callAs(editor), { form_id, submission_ids: [one], if_changed_at })).toEqual({
    updated: [],
    unchanged: [one],
  });

  const assign = (more: object) => client.assignSubmission(callAs(editor), { form_id, id: one, ...more });
  const { updated_at } = await assign({ user_id: editor.id });
  expect(await assign({ if_changed_at })).toMatchObject({ assignee: editor.id });
  expect((await assign({ if_changed_at: updated_at })).assignee).toBeUndefined();
});

const statusEventsOf = (subject: string) => started.eventsOf(subject).filter(({ event }) => event === 'submission.status_changed');

describe('changing the status of many submissions', () => {
  const change = (form_id: string, submission_ids: string[], status = 'approved', as: Caller = owner) =>
    started.client.changeStatuses(callAs(as), { form_id, submission_ids, status });
  const several = (form: string, count: number) => Promise.all(Array.from({ length: count }, async () => (await started.submit(form)).id));

  it('changes only those with another status, with one event for all of them', async () => {
    const form = started.aForm();
    const [first = '', second = '', third = ''] = await several(form, 3);
    await started.client.changeStatus(callAs(owner), { form_id: form, id: second, status: 'approved' });

    expect(await change(form, [third, second, first], 'approved', editor)).toEqual({
      updated: [third, first],
      unchanged: [second],
      changed_at: expect.any(String) as string,
    });

    expect(await started.list(form, { status: 'approved' })).toMatchObject({ total: 3 });
    expect(await started.list(form, { status: 'new' })).toEqual({ total: 0, ids: [] });
    await eventually(() =>
      expect(statusEventsOf(form)).toEqual([
        {
          event: 'submission.status_changed',
          form_id: form,
          occurred_at: expect.any(String) as unknown,
          submission_ids: [third, first],
          new_status: 'approved',
        },
      ]),
    );
    expect(await started.db('status_change').whereIn('submission_id', [first, third])).toMatchObject([
      { from_status: 'new', to_status: 'approved', actor_id: editor.id },
      { from_status: 'new', to_status: 'approved', actor_id: editor.id },
    ]);
  });

  it('records each changed submission in the audit log', async () => {
    const form = started.aForm();
    const [first = '', second = ''] = await several(form, 2);
    await change(form, [first], 'approved', editor);
    await change(form, [first, second], 'approved', owner);
    expect(await started.auditOf(first)).toEqual([['submission.status_changed', editor.id]]);
    expect(await started.auditOf(second)).toEqual([['submission.status_changed', owner.id]]);
  });

  it('to the status that all of them already have changes nothing and emits no event', async () => {
    const form = started.aForm();
    const ids = await several(form, 2);
    expect(await change(form, ids, 'new')).toEqual({ updated: [], unchanged: ids });
    expect(await started.db('outbox').where({ subject: form })).toEqual([]);
  });

  it('treats a repeated id as one', async () => {
    const form = started.aForm();
    const [id = ''] = await several(form, 1);
    expect(await change(form, [id, id])).toMatchObject({ updated: [id], unchanged: [] });
  });

  it.each([
    ['unknown', () => Promise.resolve(newId())],
    ['not an id', () => Promise.resolve('nonsense')],
    ['of another form', async () => (await started.submit(started.aForm())).id],
    [
      'in the trash',
      async (form: string) => {
        const { id } = await started.submit(form);
        await remove(form, id);
        return id;
      },
    ],
  ])('changes none and names the id if one is %s', async (_, theOther) => {
    const form = started.aForm();
    const [id = ''] = await several(form, 1);
    const other = await theOther(form);
    await expect(change(form, [id, other])).rejects.toMatchObject({
      code: 'bad_request',
      message: `submission_ids: not found in this form: ${other}`,
    });
    expect(await started.list(form, { status: 'new' })).toEqual({ total: 1, ids: [id] });
  });

  it('enforces its bounds behind the gateway too', async () => {
    const form = started.aForm();
    await expect(change(form, [])).rejects.toMatchObject({
      code: 'bad_request',
      message: 'submission_ids: must have between 1 and 500 items',
    });
    await expect(change(form, Array.from({ length: 501 }, newId))).rejects.toEqual(refused('bad_request'));
    await expect(change(form, [newId()], 'lost')).rejects.toEqual(refused('bad_request'));
  });

  it('names only some of hundreds of unknown ids', async () => {
    await expect(change(started.aForm(), Array.from({ length: 500 }, newId))).rejects.toMatchObject({
      message: expect.stringMatching(/ \(and 470 more\)$/) as unknown,
    });
  });

  it('is allowed only for owners, editors and service accounts', async () => {
    const form = started.aForm();
    const ids = await several(form, 1);
    await expect(change(form, ids, 'approved', viewer)).rejects.toEqual(refused('forbidden'));
    await expect(change(form, ids, 'approved', outsider)).rejects.toEqual(refused('forbidden'));
    await expect(change(form, ids, 'approved', stranger)).rejects.toEqual(refused('not_found'));
    await expect(change('nonsense', ids)).rejects.toEqual(refused('not_found'));
    await expect(change(form, ids, 'approved', aServiceAccount({ instanceId }))).resolves.toMatchObject({ updated: ids, unchanged: [] });
  });

  it('keeps the counts exact during concurrent changes in opposite orders and alongside single changes', async () => {
    const form = started.aForm();
    const ids = await several(form, 20);
    const backwards = [...ids].reverse();
    await Promise.all([
      ...['approved', 'rejected', 'new'].flatMap((status) => [change(form, ids, status), change(form, backwards, status)]),
      ...ids.map((id) => started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'in_review' })),
    ]);
    for (const status of ['new', 'in_review', 'approved', 'rejected']) {
      const { total, ids: listed } = await started.list(form, { status });
      expect(total).toBe(listed.length);
    }
    expect((await started.list(form)).total).toBe(20);
  });
});

describe('the history of a submission', () => {
  const history = (form_id: string, id: string, as: Caller = owner) => started.client.getHistory(callAs(as), { form_id, id });

  it('has every status change with its actor and time, oldest first', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    expect(await history(form, id)).toEqual({ changes: [], deeds: [] });

    await started.client.changeStatus(callAs(editor), { form_id: form, id, status: 'in_review' });
    clock.advance(1_000);
    const at = clock.now().toISOString();
    const robot = aServiceAccount({ instanceId });
    await started.client.changeStatuses(callAs(robot), { form_id: form, submission_ids: [id], status: 'approved' });

    expect(await history(form, id, viewer)).toMatchObject({
      changes: [
        { from: 'new', to: 'in_review', actor_kind: 'user', actor_id: editor.id },
        { from: 'in_review', to: 'approved', actor_kind: 'service_account', actor_id: robot.id, at },
      ],
    });
  });

  it('has who assigned it to whom, marked it as spam and released it, and when, also of many at once', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    const of = { form_id: form, id };
    const many = { form_id: form, submission_ids: [id] };
    const at: string[] = [];
    for (const deed of [
      () => started.client.assignSubmission(callAs(owner), { ...of, user_id: viewer.id }),
      // A request that changes nothing is no deed.
      () => started.client.assignSubmission(callAs(editor), { ...of, user_id: viewer.id }),
      () => started.client.assignSubmission(callAs(editor), of),
      () => started.client.markSpam(callAs(editor), { ...of, spam: true }),
      () => started.client.markSpam(callAs(owner), { ...of, spam: false }),
      () => started.client.markSubmissionsSpam(callAs(owner), { ...many, spam: true }),
      () => started.client.markSubmissionsSpam(callAs(editor), { ...many, spam: false }),
    ]) {
      clock.advance(1_000);
      at.push(clock.now().toISOString());
      await deed();
    }
    const by = ({ id: actor_id }: { id: string }) => ({ actor_kind: 'user', actor_id });
    expect(await history(form, id, viewer)).toEqual({
      changes: [],
      deeds: [
        { kind: 'assigned', assignee: viewer.id, ...by(owner), at: at[0] },
        { kind: 'assigned', ...by(editor), at: at[2] },
        { kind: 'marked_as_spam', ...by(editor), at: at[3] },
        { kind: 'released', ...by(owner), at: at[4] },
        { kind: 'marked_as_spam', ...by(owner), at: at[5] },
        { kind: 'released', ...by(editor), at: at[6] },
      ],
    });
    await remove(form, id);
    await started.client.eraseSubmission(callAs(owner), of);
    expect(await started.db('submission_deed').where({ submission_id: id })).toEqual([]);
  });

  it('is readable with any role on the form', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    await expect(history(form, id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(history(form, id, stranger)).rejects.toEqual(refused('not_found'));
    await expect(history(form, newId())).rejects.toEqual(refused('not_found'));
    await expect(history(started.aForm(), id)).rejects.toEqual(refused('not_found'));
  });
});

describe('the trash', () => {
  const trash = async (form_id: string, more: { limit?: number; offset?: number } = {}, as: Caller = owner) =>
    idsOf(await started.client.listTrash(callAs(as), { form_id, limit: 25, offset: 0, ...more }));
  const restore = (form_id: string, id: string, as: Caller = owner) => started.client.restoreSubmission(callAs(as), { form_id, id });

  it('lists deleted submissions in pages, most recent first, with the exact total', async () => {
    const form = started.aForm();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      clock.advance(1);
      const { id } = await started.submit(form);
      ids.unshift(id);
    }
    const [last = '', middle = '', first = ''] = ids;
    clock.advance(1);
    await remove(form, last);
    clock.advance(1);
    await remove(form, first);

    expect(await trash(form)).toEqual({ total: 2, ids: [first, last] });
    expect(await trash(form, { limit: 1, offset: 1 })).toEqual({ total: 2, ids: [last] });
    expect(await trash(form, { offset: 2 })).toEqual({ total: 2, ids: [] });
    expect(await started.list(form)).toEqual({ total: 1, ids: [middle] });

    const { submissions } = await started.client.listTrash(callAs(viewer), { form_id: form, limit: 1, offset: 0 });
    expect(submissions).toMatchObject([{ id: first, status: 'new', deleted_at: clock.now().toISOString() }]);
  });

  it('restores a submission unchanged to the list and totals, of which webhooks of the application hear', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
    await remove(form, id);
    await eventually(() => expect(started.eventsOf(id)).toHaveLength(3));

    const restored = await restore(form, id, editor);
    expect(restored).toMatchObject({ id, status: 'approved' });
    expect(restored.deleted_at).toBeUndefined();
    expect(await trash(form)).toEqual({ total: 0, ids: [] });
    expect(await started.list(form, { status: 'approved' })).toEqual({ total: 1, ids: [id] });
    expect(await started.client.getSubmission(callAs(owner), { form_id: form, id })).toMatchObject({ id });
    await eventually(() => expect(started.eventsOf(id)).toHaveLength(4));
    const { occurred_at: deletedAt } = started.eventsOf(id)[2] as { occurred_at: string };
    const last = started.eventsOf(id)[3] as { occurred_at: string };
    expect(last).toEqual({
      event: 'submission.restored',
      form_id: form,
      occurred_at: last.occurred_at,
      submission_id: id,
      status: 'approved',
    });
    expect(last.occurred_at > deletedAt).toBe(true);
    expect((await started.auditOf(id)).at(-1)).toEqual(['submission.restored', editor.id]);
  });

  it('tells nobody of the restoring of spam that was never announced', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form, undefined, { hp: 'trapped' });
    await remove(form, id);
    await restore(form, id, editor);
    expect(await started.db('outbox').where({ subject: id }).whereNot({ type: 'audit.recorded' })).toEqual([]);
  });

  it('leaves a submission that is not in it unchanged when it is restored', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    expect(await restore(form, id)).toMatchObject({ id, status: 'new' });
    expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
  });

  it('counts exactly while many delete and restore the same submission', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    await Promise.allSettled(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? remove(form, id) : restore(form, id))));
    await restore(form, id);
    expect(await trash(form)).toEqual({ total: 0, ids: [] });
    expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
  });

  it('frees no place within the limit of the form', async () => {
    const form = started.aForm({ max_submissions: 1 });
    const { id } = await started.submit(form);
    await remove(form, id);
    await expect(started.submit(form)).rejects.toEqual(refused('forbidden'));
    await restore(form, id);
    await expect(started.submit(form)).rejects.toEqual(refused('forbidden'));
  });

  it('is readable with any role; owners and editors restore from it', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form);
    await remove(form, id);
    await expect(trash(form, {}, viewer)).resolves.toMatchObject({ total: 1 });
    await expect(trash(form, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(trash(form, {}, stranger)).rejects.toEqual(refused('not_found'));
    await expect(restore(form, id, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(restore(form, id, stranger)).rejects.toEqual(refused('not_found'));
    await expect(restore(form, newId())).rejects.toEqual(refused('not_found'));
    await expect(restore(form, id, aServiceAccount({ instanceId }))).resolves.toMatchObject({ id });
  });
});
