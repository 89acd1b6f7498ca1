import { newId, type Problem } from '@sheaf/kernel';
import { callAs, eventually, expectCursorsChecked, forged } from '@sheaf/testing';
import { indexWaiting } from '../src/search/search-index';
import { Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, stranger, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

const failed = (code: string, message = /./) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Problem;

async function aSubmission(data: object = { name: 'Ada', stars: 3 }, form = started.aForm()) {
  const { id } = await started.submit(form, data);
  return { form_id: form, id };
}

const correct = (
  of: { form_id: string; id: string },
  data: unknown,
  { revision = 0, reason, by = owner }: { revision?: number; reason?: string; by?: typeof owner } = {},
) =>
  started.client.correctSubmission(callAs(by), {
    ...of,
    data: Buffer.from(JSON.stringify(data)),
    revision,
    ...(reason === undefined ? {} : { reason }),
  });
const detail = (of: { form_id: string; id: string }) => started.client.getSubmissionDetail(callAs(owner), of);
const revisions = (of: { form_id: string; id: string }, page: { limit?: number; cursor?: string } = {}) =>
  started.client.listRevisions(callAs(owner), { limit: 25, ...of, ...page });
const answers = ({ data }: { data?: Buffer }) => JSON.parse(data?.toString() ?? '') as unknown;

describe('a correction', () => {
  it('replaces the answers, and keeps the earlier ones with who replaced them, when and why', async () => {
    const of = await aSubmission();
    clock.advance(60_000);
    const corrected = await correct(of, { name: 'Ada Lovelace', stars: 3 }, { reason: 'Misspelled', by: editor });
    expect(corrected).toMatchObject({ revision: 1, updated_at: clock.now().toISOString(), schema_version: 3, status: 'new' });
    expect(answers(corrected)).toEqual({ name: 'Ada Lovelace', stars: 3 });
    expect(answers(await started.client.getSubmission(callAs(owner), of))).toEqual({ name: 'Ada Lovelace', stars: 3 });

    const { revisions: kept, total } = await revisions(of);
    expect({ kept, total }).toMatchObject({
      kept: [{ number: 0, changed_by_kind: 'user', changed_by_id: editor.id, reason: 'Misspelled', changed_at: clock.now().toISOString() }],
      total: 1,
    });
    const first = await started.client.getRevision(callAs(viewer), { ...of, number: 0 });
    expect(first.schema_version).toBe(3);
    expect(answers(first)).toEqual({ name: 'Ada', stars: 3 });
  });

  it('is written to the audit log without the answers, and told to webhooks of the application by the keys that changed', async () => {
    const of = await aSubmission();
    await correct(of, { name: 'Grace' }, { by: editor });
    expect(await started.auditOf(of.id)).toEqual([['submission.corrected', editor.id]]);
    await eventually(() => expect(started.eventsOf(of.id)).toHaveLength(2));
    const [created, told] = started.eventsOf(of.id) as [{ occurred_at: string }, { occurred_at: string }];
    expect(told).toEqual({
      event: 'submission.corrected',
      form_id: of.form_id,
      occurred_at: told.occurred_at,
      submission_id: of.id,
      status: 'new',
      revision: 1,
      changed: ['name', 'stars'],
      corrected_by: { kind: 'user', id: editor.id },
    });
    expect(told.occurred_at > created.occurred_at).toBe(true);
    const [audit] = await started
      .db<{ type: string; body: string; subject: string }>('outbox')
      .where({ subject: of.id, type: 'audit.recorded' });
    expect(audit?.body).not.toContain('Grace');
  });

  it('of a submission that was not announced is told to nobody', async () => {
    const form_id = started.aForm();
    const { id } = await started.submit(form_id, { name: 'Ada', stars: 3 }, { hp: 'trapped' });
    await correct({ form_id, id }, { name: 'Grace' });
    expect(await started.db('outbox').where({ subject: id }).whereNot({ type: 'audit.recorded' })).toEqual([]);
  });
  it('that changes nothing keeps no revision', async () => {
    const of = await aSubmission();
    expect(await correct(of, { stars: 3, name: 'Ada', story: '' })).toMatchObject({ revision: 0 });
    expect(await revisions(of)).toMatchObject({ revisions: [], total: 0 });
  });

  it('is refused if the submission was corrected since it was read', async () => {
    const of = await aSubmission();
    const [first, second] = await Promise.allSettled([correct(of, { name: 'One' }), correct(of, { name: 'Two' })]);
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected']);
    await expect(correct(of, { name: 'Three' })).rejects.toThrow(failed('conflict'));
    expect(await detail(of)).toMatchObject({ revision: 1 });
  });

  it('is checked against the version of the submission, not against the latest', async () => {
    const field = { label: 'Old', type: 'short_text', required: true };
    const form = started.aForm({ earlier: { 1: Buffer.from(JSON.stringify([{ key: 'old', ...field }])) } });
    const of = await aSubmission({ name: 'Ada' }, form);
    await started.db('submission').where({ id: of.id }).update({ schema_version: 1, data: '{"old":"before"}' });
    await expect(correct(of, { name: 'Ada' })).rejects.toThrow(failed('bad_request', /^data\.name: /));
    await expect(correct(of, {})).rejects.toThrow(failed('bad_request', /^data\.old: is required/));
    expect(await correct(of, { old: 'after' })).toMatchObject({ schema_version: 1, revision: 1 });
  });

  it('leaves a repeated request of the respondent the same submission', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    await correct({ form_id: form, id }, { name: 'Grace' });
    expect(await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' })).toMatchObject({ id });
    await expect(started.submit(form, { name: 'Grace' }, { idempotency_key: 'key-1' })).rejects.toThrow(failed('bad_request'));
  });

  it('is found by its new answers, and no longer by the old ones', async () => {
    const of = await aSubmission({ name: 'Ada', stars: 3 });
    const index = () => indexWaiting(started.deps, new AbortController().signal);
    const find = async (q: string) =>
      (
        await started.client.findSubmissions(callAs(owner), {
          form_id: of.form_id,
          q,
          limit: 25,
          statuses: [],
          filters: [],
          sort: '-created',
        })
      ).submissions.length;
    await index();
    expect([await find('ada'), await find('3')]).toEqual([1, 1]);
    await correct(of, { name: 'Grace', stars: 5 });
    await index();
    expect([await find('ada'), await find('3'), await find('grace'), await find('5')]).toEqual([0, 0, 1, 1]);
    expect(await started.db('search_number').where({ submission_id: of.id }).select('key', 'number')).toEqual([
      { key: 'stars', number: 5 },
    ]);
  });

  it('is for owners and editors, of submissions that are not in the trash', async () => {
    const of = await aSubmission();
    for (const [by, code] of [
      [viewer, 'forbidden'],
      [outsider, 'forbidden'],
      [stranger, 'not_found'],
    ] as const)
      await expect(correct(of, { name: 'X' }, { by })).rejects.toThrow(failed(code));
    await expect(correct({ ...of, id: newId() }, { name: 'X' })).rejects.toThrow(failed('not_found'));
    await expect(correct({ ...of, form_id: started.aForm() }, { name: 'X' })).rejects.toThrow(failed('not_found'));
    await started.client.deleteSubmission(callAs(owner), of);
    await expect(correct(of, { name: 'X' })).rejects.toThrow(failed('not_found'));
  });
});

describe('the revisions of a submission', () => {
  it('are listed newest first, a page at a time', async () => {
    const of = await aSubmission();
    for (let revision = 0; revision < 3; revision++) await correct(of, { name: `Name ${revision}` }, { revision });
    const first = await revisions(of, { limit: 2 });
    expect(first).toMatchObject({ revisions: [{ number: 2 }, { number: 1 }], total: 3 });
    expect(await revisions(of, { limit: 2, cursor: first.next_cursor ?? '' })).toMatchObject({ revisions: [{ number: 0 }] });
    const other = await aSubmission();
    await expect(revisions(other, { cursor: first.next_cursor ?? '' })).rejects.toThrow(failed('bad_request', /^cursor: /));
  });

  it('refuse a cursor to a place that cannot exist, even with the right checksum', async () => {
    const of = await aSubmission();
    await expectCursorsChecked({ list: ['revisions', of.id], real: [0], place: [forged.number()] }, (cursor) => revisions(of, { cursor }));
  });

  it('that do not exist are not found', async () => {
    const of = await aSubmission();
    await expect(started.client.getRevision(callAs(owner), { ...of, number: 0 })).rejects.toThrow(failed('not_found'));
  });
});

it('every change of a submission moves updated_at', async () => {
  const of = await aSubmission();
  const { created_at } = await detail(of);
  expect(await detail(of)).toMatchObject({ updated_at: created_at, revision: 0 });
  const changes = [
    () => started.client.changeStatus(callAs(owner), { ...of, status: 'approved' }),
    () => started.client.markSpam(callAs(owner), { ...of, spam: true }),
    () => started.client.markSpam(callAs(owner), { ...of, spam: false }),
    () => started.client.addNote(callAs(owner), { ...of, text: 'Called her.' }),
    () => started.client.assignSubmission(callAs(owner), { ...of, user_id: editor.id }),
  ];
  for (const change of changes) {
    clock.advance(1_000);
    await change();
    expect(await detail(of)).toMatchObject({ updated_at: clock.now().toISOString(), created_at });
  }
});

it('keeps the language of the respondent', async () => {
  const form = started.aForm();
  const call = callAs(started.respondent);
  const { id } = await started.client.submit(call, { form, data: Buffer.from('{"name":"Ada"}'), language: 'pt-BR' });
  expect(await detail({ form_id: form, id })).toMatchObject({ language: 'pt-BR' });
});
