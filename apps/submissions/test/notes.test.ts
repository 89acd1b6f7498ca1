import { newId } from '@sheaf/kernel';
import { aServiceAccount, callAs, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, stranger, clock, instanceId } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

type Of = Awaited<ReturnType<typeof aSubmission>>;
async function aSubmission(form = started.aForm()) {
  const { id } = await started.submit(form);
  return { form_id: form, id };
}
const add = (of: Of, text = 'Called her.', by: Parameters<typeof callAs>[0] = editor) =>
  started.client.addNote(callAs(by), { ...of, text });
const update = (of: Of, note_id: string, text: string, by: Parameters<typeof callAs>[0] = editor) =>
  started.client.updateNote(callAs(by), { ...of, note_id, text });
const remove = (of: Of, note_id: string, by: Parameters<typeof callAs>[0] = editor) =>
  started.client.deleteNote(callAs(by), { ...of, note_id });
const list = (of: Of, page: { limit?: number; cursor?: string } = {}, by: Parameters<typeof callAs>[0] = viewer) =>
  started.client.listNotes(callAs(by), { limit: 25, ...of, ...page });
const detail = (of: Of) => started.client.getSubmissionDetail(callAs(owner), of);

describe('a note', () => {
  it('is read with its author by everybody with a role on the form, newest first and a page at a time', async () => {
    const of = await aSubmission();
    const ids: string[] = [];
    for (const text of ['First', 'Second', 'Third']) ids.unshift((await add(of, text)).id);
    const first = await list(of, { limit: 2 });
    expect(first).toMatchObject({ notes: [{ text: 'Third', author_kind: 'user', author_id: editor.id }, { text: 'Second' }], total: 3 });
    const last = await list(of, { limit: 2, cursor: first.next_cursor ?? '' });
    expect(last.notes).toMatchObject([{ id: ids[2] }]);
    expect(last.next_cursor).toBeUndefined();
    expect((await list(of, { limit: 3 })).next_cursor).toBeUndefined();
    await expect(list(await aSubmission(), { cursor: first.next_cursor ?? '' })).rejects.toEqual(refused('bad_request', /^cursor: /));
  });

  it('has a place that exists: a cursor to any other is refused, even with the right checksum', async () => {
    const of = await aSubmission();
    await expectCursorsChecked({ list: ['notes', of.id], real: [newId()], place: [forged.id()] }, (cursor) => list(of, { cursor }));
  });

  it('is counted at its submission, and changes its updated_at like each change of the note', async () => {
    const of = await aSubmission();
    clock.advance(1_000);
    const { id } = await add(of);
    expect(await detail(of)).toMatchObject({ notes: 1, updated_at: clock.now().toISOString() });
    clock.advance(1_000);
    expect(await update(of, id, 'Called her back.')).toMatchObject({ text: 'Called her back.', edited_at: clock.now().toISOString() });
    expect(await detail(of)).toMatchObject({ notes: 1, updated_at: clock.now().toISOString() });
    const editedAt = clock.now().toISOString();
    clock.advance(1_000);
    expect(await update(of, id, 'Called her back.')).toMatchObject({ edited_at: editedAt });
    await remove(of, id);
    expect(await detail(of)).toMatchObject({ notes: 0, updated_at: clock.now().toISOString() });
    expect(await list(of)).toMatchObject({ notes: [], total: 0 });
  });

  it('is written to the audit log without its text, and sent to no subscriber', async () => {
    const of = await aSubmission();
    const { id } = await add(of, 'Secret words');
    await update(of, id, 'Other words');
    await remove(of, id, owner);
    expect(await started.auditOf(of.id)).toEqual([
      ['submission.note_added', editor.id],
      ['submission.note_updated', editor.id],
      ['submission.note_deleted', owner.id],
    ]);
    const rows = await started.db<{ type: string; body: string; subject: string }>('outbox').where({ subject: of.id });
    expect(rows.filter(({ type }) => type !== 'audit.recorded' && type !== 'submission.created')).toEqual([]);
    expect(rows.map(({ body }) => body).join()).not.toContain('words');
  });

  it('is changed by its author only, and deleted by its author or an owner of the form', async () => {
    const of = await aSubmission();
    const { id } = await add(of);
    const robot = aServiceAccount({ instanceId, id: editor.id });
    for (const by of [owner, robot]) await expect(update(of, id, 'X', by)).rejects.toEqual(refused('forbidden', /Only its author/));
    await expect(remove(of, id, robot)).rejects.toEqual(refused('forbidden', /owners of the form/));
    await remove(of, id, owner);
    await expect(remove(of, id)).rejects.toEqual(refused('not_found'));
    await expect(update(of, 'nonsense', 'X')).rejects.toEqual(refused('not_found'));
  });

  it('keeps its earlier texts when it is changed, and only then', async () => {
    const of = await aSubmission();
    const written = clock.now();
    const { id } = await add(of, 'First');
    clock.advance(1_000);
    const edited = clock.now();
    await update(of, id, 'Second');
    await update(of, id, 'Second');
    clock.advance(1_000);
    await update(of, id, 'Third');
    const earlier = () => started.db('note_revision').where({ note_id: id }).orderBy('number');
    const named = { submission_id: of.id, note_id: id };
    expect(await earlier()).toEqual([
      { ...named, number: 0, text: 'First', written_at: written },
      { ...named, number: 1, text: 'Second', written_at: edited },
    ]);
    expect(await list(of)).toMatchObject({ notes: [{ text: 'Third' }], total: 1 });
    await remove(of, id);
    expect(await earlier()).toEqual([]);
  });

  it('under legal hold, whether forms says so now or said so before, cannot be deleted, and loses no text', async () => {
    const held = await aSubmission(started.aForm({ legal_hold: true }));
    const known = await aSubmission();
    const { id: other } = await add(known, 'Before');
    await started
      .db('form_keeping')
      .insert({ form_id: known.form_id, instance_id: instanceId, workspace_id: started.workspaceId, legal_hold: true });
    for (const [of, id] of [
      [held, (await add(held, 'Before')).id],
      [known, other],
    ] as const) {
      for (const by of [editor, owner]) await expect(remove(of, id, by)).rejects.toEqual(refused('conflict', /legal hold/));
      await update(of, id, 'After');
      expect(await list(of)).toMatchObject({ notes: [{ text: 'After' }] });
      expect(await started.db('note_revision').where({ note_id: id })).toMatchObject([{ text: 'Before' }]);
    }
    await expect(remove(held, newId())).rejects.toEqual(refused('not_found'));
  });

  it('belongs to one submission', async () => {
    const form = started.aForm();
    const [of, other] = [await aSubmission(form), await aSubmission(form)];
    const { id } = await add(of);
    await expect(update(other, id, 'X')).rejects.toEqual(refused('not_found'));
    await expect(remove(other, id)).rejects.toEqual(refused('not_found'));
    expect(await list(other)).toMatchObject({ notes: [] });
  });

  it('is written by owners and editors, about submissions that are not in the trash', async () => {
    const of = await aSubmission();
    for (const [by, code] of [
      [viewer, 'forbidden'],
      [outsider, 'forbidden'],
      [stranger, 'not_found'],
    ] as const)
      await expect(add(of, 'X', by)).rejects.toEqual(refused(code));
    await expect(list(of, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(add({ ...of, id: newId() })).rejects.toEqual(refused('not_found'));
    await started.client.deleteSubmission(callAs(owner), of);
    await expect(add(of)).rejects.toEqual(refused('not_found'));
    await expect(list(of)).rejects.toEqual(refused('not_found'));
  });

  it('is refused beyond 1,000 of them, however many are written at the same time', async () => {
    const of = await aSubmission();
    await started.db('submission').where({ id: of.id }).update({ notes: 998 });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => add(of)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(add(of)).rejects.toEqual(refused('bad_request', 'text: the submission has 1000 notes already, the maximum'));
  });
});

describe('the person who takes care of a submission', () => {
  const assign = (of: Of, user_id?: string, by: Parameters<typeof callAs>[0] = editor) =>
    started.client.assignSubmission(callAs(by), { ...of, ...(user_id === undefined ? {} : { user_id }) });

  it('is named, found and removed again', async () => {
    const of = await aSubmission();
    clock.advance(1_000);
    expect(await assign(of, viewer.id)).toMatchObject({ assignee: viewer.id, updated_at: clock.now().toISOString() });
    expect(await assign(of, viewer.id, owner)).toMatchObject({ assignee: viewer.id });
    const found = (assignee: string) =>
      started.client.findSubmissions(callAs(owner), {
        form_id: of.form_id,
        assignee,
        limit: 25,
        statuses: [],
        filters: [],
        sort: '-created',
      });
    expect((await found(viewer.id)).submissions).toMatchObject([{ id: of.id, assignee: viewer.id, notes: 0 }]);
    expect((await found(owner.id)).submissions).toEqual([]);
    expect((await assign(of)).assignee).toBeUndefined();
    expect((await found(viewer.id)).submissions).toEqual([]);
    expect(await started.auditOf(of.id)).toEqual([
      ['submission.assigned', editor.id],
      ['submission.assigned', editor.id],
    ]);
  });

  it('is named by owners and editors, for submissions that are not in the trash', async () => {
    const of = await aSubmission();
    await expect(assign(of, owner.id, viewer)).rejects.toEqual(refused('forbidden'));
    await started.client.deleteSubmission(callAs(owner), of);
    await expect(assign(of, owner.id)).rejects.toEqual(refused('not_found'));
  });
});
