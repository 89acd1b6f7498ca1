import { newId, type Caller } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import { idsOf, Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, stranger, clock } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const trash = (form_id: string, submission_ids: string[], as: Caller = owner) =>
  started.client.trashSubmissions(callAs(as), { form_id, submission_ids });
const restore = (form_id: string, submission_ids: string[], as: Caller = owner) =>
  started.client.restoreSubmissions(callAs(as), { form_id, submission_ids });
const mark = (form_id: string, submission_ids: string[], spam: boolean, as: Caller = owner) =>
  started.client.markSubmissionsSpam(callAs(as), { form_id, submission_ids, spam });
const page = { limit: 100, offset: 0 };
const trashOf = async (form_id: string) => idsOf(await started.client.listTrash(callAs(owner), { form_id, ...page }));
const spamOf = async (form_id: string) => idsOf(await started.client.listSpam(callAs(owner), { form_id, ...page }));
const several = async (form: string, count: number, options = {}) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await started.submit(form, { name: `Name ${n}` }, options)).id);
  return ids;
};
const updatedAt = async (form_id: string, id: string) =>
  (await started.client.getSubmissionDetail(callAs(owner), { form_id, id })).updated_at;

describe('moving many submissions to the trash', () => {
  it('moves those that are not there yet, with an event and an audit entry for each', async () => {
    const form = started.aForm();
    const [first = '', second = '', third = ''] = await several(form, 3);
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: second });
    expect(await trash(form, [third, second, first], editor)).toMatchObject({ updated: [third, first], unchanged: [second] });

    expect(await started.list(form)).toEqual({ total: 0, ids: [] });
    expect(await trashOf(form)).toMatchObject({ total: 3 });
    for (const id of [first, third]) {
      expect(await started.auditOf(id)).toEqual([['submission.deleted', editor.id]]);
      await eventually(() =>
        expect(started.eventsOf(id).at(-1)).toEqual({
          event: 'submission.deleted',
          form_id: form,
          occurred_at: expect.any(String) as unknown,
          submission_id: id,
        }),
      );
    }
  });

  it('sends no event for spam that subscribers never received', async () => {
    const form = started.aForm();
    const [id = ''] = await several(form, 1, { hp: 'trapped' });
    expect(await trash(form, [id])).toMatchObject({ updated: [id], unchanged: [] });
    expect(await spamOf(form)).toMatchObject({ total: 0 });
    expect(await started.db('outbox').where({ subject: id, type: 'submission.deleted' })).toEqual([]);
  });
});

describe('restoring many submissions', () => {
  it('puts each where it was, and tells of each that subscribers know', async () => {
    const form = started.aForm();
    const [listed = ''] = await several(form, 1);
    const [spam = ''] = await several(form, 1, { hp: 'trapped' });
    await trash(form, [listed, spam]);
    clock.advance(1_000);
    expect(await restore(form, [spam, listed], editor)).toMatchObject({ updated: [spam, listed], unchanged: [] });
    expect(await restore(form, [spam, listed])).toMatchObject({ updated: [], unchanged: [spam, listed] });

    expect(await started.list(form)).toEqual({ total: 1, ids: [listed] });
    expect(await spamOf(form)).toEqual({ total: 1, ids: [spam] });
    expect(await trashOf(form)).toEqual({ total: 0, ids: [] });
    expect(await updatedAt(form, listed)).toBe(clock.now().toISOString());
    expect((await started.auditOf(listed)).at(-1)).toEqual(['submission.restored', editor.id]);
    await eventually(() =>
      expect(started.eventsOf(listed).map(({ event }) => event)).toEqual([
        'submission.created',
        'submission.deleted',
        'submission.restored',
      ]),
    );
    expect(started.eventsOf(spam)).toEqual([]);
  });
});

describe('marking many submissions as spam', () => {
  it('and releasing them announces each that was held back, once and with its answers', async () => {
    const form = started.aForm();
    const held = await several(form, 2, { hp: 'trapped' });
    const [listed = ''] = await several(form, 1);
    expect(await mark(form, [...held, listed], true, editor)).toMatchObject({ updated: [listed], unchanged: held });
    expect(await started.list(form)).toEqual({ total: 0, ids: [] });

    expect(await mark(form, [...held, listed], false, editor)).toMatchObject({ updated: [...held, listed], unchanged: [] });
    expect(await started.list(form)).toMatchObject({ total: 3 });
    expect(await spamOf(form)).toEqual({ total: 0, ids: [] });
    expect(await started.auditOf(listed)).toEqual([
      ['submission.marked_as_spam', editor.id],
      ['submission.released', editor.id],
    ]);
    const { created_at } = await started.client.getSubmission(callAs(owner), { form_id: form, id: listed });
    for (const [index, id] of held.entries())
      await eventually(() =>
        expect(started.eventsOf(id)).toEqual([
          {
            event: 'submission.created',
            form_id: form,
            occurred_at: expect.any(String) as unknown,
            data: { name: `Name ${index}` },
            submission: { id, form_id: form, schema_version: 3, created_at },
          },
        ]),
      );
    await eventually(() => expect(started.eventsOf(listed)).toHaveLength(1));
    await mark(form, held, true);
    await mark(form, held, false);
    expect(await started.db('outbox').whereIn('subject', held).where({ type: 'submission.created' })).toEqual([]);
  });

  it('counts released submissions towards the limit, and spam no longer', async () => {
    const form = started.aForm({ max_submissions: 2 });
    const ids = await several(form, 2);
    await expect(started.submit(form)).rejects.toMatchObject({ code: 'forbidden' });
    await mark(form, ids, true);
    const [more = ''] = await several(form, 1);
    await mark(form, ids, false);
    expect(await started.list(form)).toMatchObject({ total: 3 });
    await expect(started.submit(form)).rejects.toMatchObject({ code: 'forbidden' });
    await trash(form, [more]);
    await expect(started.submit(form)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('refuses to release more answers than a transaction may announce, and changes none', async () => {
    const form = started.aForm();
    const [small = '', ...large] = await several(form, 18, { hp: 'trapped' });
    await started
      .db('submission')
      .whereIn('id', large)
      .update({ data: JSON.stringify({ name: 'x'.repeat(1_000_000) }) });
    await expect(mark(form, [small, ...large], false)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'submission_ids: must name fewer submissions, whose answers have at most 16777216 bytes together',
    });
    expect(await spamOf(form)).toMatchObject({ total: 18 });
    expect(await mark(form, [small, ...large.slice(0, 16)], false)).toMatchObject({ unchanged: [] });
  });
});

describe('every change of many submissions', () => {
  const changes = {
    trashing: trash,
    restoring: restore,
    'marking as spam': (form: string, ids: string[], as?: Caller) => mark(form, ids, true, as),
    releasing: (form: string, ids: string[], as?: Caller) => mark(form, ids, false, as),
  };

  it.each(Object.entries(changes))('is all or none: %s', async (_, change) => {
    const form = started.aForm();
    const ids = await several(form, 2);
    const { id: other } = await started.submit(started.aForm());
    for (const unknown of [newId(), 'nonsense', other])
      await expect(change(form, [...ids, unknown])).rejects.toMatchObject({
        code: 'bad_request',
        message: `submission_ids: not found in this form: ${unknown}`,
      });
    expect(await started.list(form)).toMatchObject({ total: 2 });
    expect(await change(form, [ids[0] ?? '', ids[0] ?? ''])).toEqual(
      expect.objectContaining(change === trash || change === changes['marking as spam'] ? { updated: [ids[0]] } : { unchanged: [ids[0]] }),
    );
  });

  it.each(Object.entries(changes))('is for owners and editors: %s', async (_, change) => {
    const form = started.aForm();
    const ids = await several(form, 1);
    for (const [as, code] of [
      [viewer, 'forbidden'],
      [outsider, 'forbidden'],
      [stranger, 'not_found'],
    ] as const)
      await expect(change(form, ids, as)).rejects.toEqual(refused(code));
  });

  it('of spam refuses submissions in the trash, as those are restored first', async () => {
    const form = started.aForm();
    const ids = await several(form, 2);
    await trash(form, ids.slice(1));
    await expect(mark(form, ids, true)).rejects.toEqual(refused('bad_request', /not found in this form/));
    expect(await spamOf(form)).toMatchObject({ total: 0 });
  });

  it('ends with the same counts, however many run at the same time', async () => {
    const form = started.aForm();
    const ids = await several(form, 12);
    const backwards = [...ids].reverse();
    await Promise.all([
      trash(form, ids),
      mark(form, backwards.slice(6), true).catch(() => undefined),
      restore(form, backwards),
      trash(form, backwards.slice(0, 5)),
      several(form, 3),
    ]);
    await restore(form, ids);
    await mark(form, ids, false);
    expect(await started.list(form)).toMatchObject({ total: 15 });
    expect(await trashOf(form)).toEqual({ total: 0, ids: [] });
    expect(await spamOf(form)).toEqual({ total: 0, ids: [] });
  });
});
