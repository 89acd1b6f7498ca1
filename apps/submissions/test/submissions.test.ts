import { newId, type Caller, type Problem } from '@sheaf/kernel';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import { idsOf, Started } from './started';

const started = new Started();
const { clock, instanceId, owner, editor, viewer, outsider, stranger, respondent } = started;
const unknownId = newId();

let db: Started['db'];
let client: Started['client'];
beforeAll(async () => {
  ({ db, client } = await started.start());
});
afterAll(() => started.stop());

const aForm: Started['aForm'] = (given) => started.aForm(given);
const eventsOf: Started['eventsOf'] = (id) => started.eventsOf(id);
const submit = (form: string, data: unknown = { name: 'Ada' }, idempotency_key?: string) =>
  client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify(data)), idempotency_key });
const list = async (form_id: string, more: { limit?: number; offset?: number; status?: string } = {}, as: Caller = owner) =>
  idsOf(await client.listSubmissions(callAs(as), { form_id, limit: 25, offset: 0, ...more }));

describe('the time in an event', () => {
  it('is later than that of the events of the submission before it, within a millisecond and if another process has a clock that is behind', async () => {
    const form = aForm();
    const { id } = await submit(form);
    const at = clock.now().getTime();
    const status = (to: string) => client.changeStatus(callAs(editor), { form_id: form, id, status: to });
    try {
      await status('in_review');
      clock.advance(-60_000);
      await client.addNote(callAs(editor), { form_id: form, id, text: 'Later' });
      await client.changeStatuses(callAs(editor), { form_id: form, submission_ids: [id], status: 'approved' });
      await status('archived');
      await client.deleteSubmission(callAs(editor), { form_id: form, id });
    } finally {
      clock.advance(60_000);
    }

    await eventually(() => expect([...eventsOf(id), ...eventsOf(form)]).toHaveLength(5));
    const times = [...eventsOf(id), ...eventsOf(form)] as { occurred_at: string }[];
    const sorted = times.toSorted((a, b) => a.occurred_at.localeCompare(b.occurred_at));
    expect(sorted.map(({ occurred_at }) => occurred_at)).toEqual([0, 1, 2, 3, 4].map((after) => new Date(at + after).toISOString()));
    expect(sorted).toMatchObject([
      { event: 'submission.created' },
      { new_status: 'in_review' },
      { new_status: 'approved' },
      { new_status: 'archived' },
      { event: 'submission.deleted' },
    ]);
  });
});

describe('submitting', () => {
  it('stores the answers under the form version they were given for, and emits an event', async () => {
    const form = aForm();
    const receipt = await submit(form, { name: 'Ada', stars: 5 });
    expect(receipt).toMatchObject({ form_id: form, status: 'new', created_at: '2026-06-01T12:00:00.000Z' });

    const stored = await client.getSubmission(callAs(owner), { form_id: form, id: receipt.id });
    expect(stored).toMatchObject({ id: receipt.id, schema_version: 3, status: 'new' });
    expect(JSON.parse(stored.data.toString())).toEqual({ name: 'Ada', stars: 5 });

    await eventually(() =>
      expect(eventsOf(receipt.id)).toEqual([
        {
          event: 'submission.created',
          form_id: form,
          occurred_at: '2026-06-01T12:00:00.000Z',
          data: { name: 'Ada', stars: 5 },
          submission: { id: receipt.id, form_id: form, schema_version: 3, created_at: '2026-06-01T12:00:00.000Z' },
        },
      ]),
    );
  });

  it('refuses invalid answers, names each, and stores nothing', async () => {
    const form = aForm();
    await expect(submit(form, { stars: 9, colour: 'red' })).rejects.toMatchObject({
      code: 'bad_request',
      message: 'data.colour: is not a field of this form (and 2 more)',
      details: [
        { key: 'colour', message: 'is not a field of this form' },
        { key: 'name', message: 'is required' },
        { key: 'stars', message: 'must be at most 5' },
      ],
    });
    expect(await list(form)).toEqual({ total: 0, ids: [] });
  });

  it('refuses an answer whose oversized pattern cannot be matched in time, without delaying other submissions', async () => {
    const fields = [{ key: 'code', label: 'Code', type: 'long_text', required: false, pattern: '(?:a?){1000}'.repeat(41) }];
    const slow = aForm({ fields: Buffer.from(JSON.stringify(fields)) });
    const form = aForm();
    // Takes twenty seconds on a common machine; the limit is one.
    const refusal = submit(slow, { code: 'a'.repeat(20_000) }).catch((error: unknown) => error);
    await submit(form);
    expect(await refusal).toEqual(refused('bad_request', 'data.code: takes too long to check against the pattern of this field'));
    await submit(slow, {});
    expect(await list(slow)).toMatchObject({ total: 1 });
    expect(await list(form)).toMatchObject({ total: 1 });
  });

  it('accepts an answer whose pattern is matched in a thread', async () => {
    const fields = [{ key: 'code', label: 'Code', type: 'short_text', required: true, pattern: '(?:[a-z]{1,200} ?){1,4}' }];
    const form = aForm({ fields: Buffer.from(JSON.stringify(fields)) });
    await submit(form, { code: 'abc '.repeat(4).trim() });
    await expect(submit(form, { code: 'ABC' })).rejects.toEqual(refused('bad_request', 'data.code: does not have the required format'));
    expect(await list(form)).toMatchObject({ total: 1 });
  });

  it('responds even if thousands of answers are invalid', async () => {
    const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}${'x'.repeat(100)}`, 1]));
    const problem = await submit(aForm(), data).catch((error: unknown) => error as Problem);
    expect(problem).toMatchObject({ code: 'bad_request', message: expect.stringMatching(/ \(and 5000 more\)$/) as unknown });
    expect((problem as Problem).details).toHaveLength(30);
  });

  it.each([
    ['is archived', { status: 'archived' }],
    ['is not open yet', { opens_at: '2026-06-01T12:00:00.001Z' }],
    ['has closed', { closes_at: '2026-06-01T12:00:00.000Z' }],
    ['has a limit of 0', { max_submissions: 0 }],
  ])('is refused with the closed message when the form %s', async (_, state) => {
    await expect(submit(aForm({ ...state, closed_message: 'Back on Monday' }))).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Back on Monday',
    });
  });

  it('is allowed only for respondents', async () => {
    await expect(client.submit(callAs(owner), { form: aForm(), data: Buffer.from('{}') })).rejects.toEqual(refused('forbidden'));
  });

  it('does not find a form of another instance', async () => {
    const call = callAs({ kind: 'respondent', instanceId: newId() });
    await expect(client.submit(call, { form: aForm(), data: Buffer.from('{"name":"Ada"}') })).rejects.toEqual(refused('not_found'));
  });

  it('enforces the limit of the form exactly under concurrent requests', async () => {
    const form = aForm({ max_submissions: 7 });
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => submit(form)));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    expect((await list(form)).total).toBe(7);
    expect(await client.getIntakeForm(callAs(respondent), { form })).toMatchObject({ open: false });
  });
});

describe('under an idempotency key', () => {
  it('the same answers are accepted once under concurrent requests', async () => {
    const form = aForm();
    const receipts = await Promise.all(Array.from({ length: 20 }, () => submit(form, { name: 'Ada' }, 'key-1')));

    expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
    expect((await list(form)).total).toBe(1);
  });

  it('different answers are refused', async () => {
    const form = aForm();
    await submit(form, { name: 'Ada' }, 'key-1');
    await expect(submit(form, { name: 'Bob' }, 'key-1')).rejects.toMatchObject({
      code: 'bad_request',
      message: 'Idempotency-Key: was already used with different answers',
    });
  });

  it('the first response is returned again after the form has filled up', async () => {
    const form = aForm({ max_submissions: 1 });
    const first = await submit(form, { name: 'Ada' }, 'key-1');
    expect(await submit(form, { name: 'Ada' }, 'key-1')).toEqual(first);
    await expect(submit(form, { name: 'Ada' }, 'key-2')).rejects.toEqual(refused('forbidden'));
  });

  it('a refused submission leaves the key free', async () => {
    const form = aForm();
    await expect(submit(form, {}, 'key-1')).rejects.toEqual(refused('bad_request'));
    await expect(submit(form, { name: 'Ada' }, 'key-1')).resolves.toMatchObject({ status: 'new' });
  });
});

describe('the list', () => {
  it('is newest first, in pages, with the exact total', async () => {
    const form = aForm();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      clock.advance(1);
      ids.unshift((await submit(form)).id);
    }
    expect(await list(form, { limit: 2 })).toEqual({ total: 5, ids: ids.slice(0, 2) });
    expect(await list(form, { limit: 2, offset: 4 })).toEqual({ total: 5, ids: ids.slice(4) });
    expect(await list(form, { offset: 5 })).toEqual({ total: 5, ids: [] });
  });

  it('has a total from the same moment as its page during concurrent submissions', async () => {
    const form = aForm();
    const arrivals = Array.from({ length: 60 }, () => submit(form));
    for (let seen = 0; seen < arrivals.length;) {
      const { total, ids } = await list(form, { limit: 100 });
      expect(ids).toHaveLength(total);
      seen = total;
    }
    await Promise.all(arrivals);
  });

  it('can be filtered by status, with the total of that status', async () => {
    const form = aForm();
    const [first] = [await submit(form), await submit(form)];
    await client.changeStatus(callAs(owner), { form_id: form, id: first.id, status: 'approved' });

    expect(await list(form, { status: 'approved' })).toEqual({ total: 1, ids: [first.id] });
    expect(await list(form, { status: 'rejected' })).toEqual({ total: 0, ids: [] });
  });

  it('is readable with any role on the form', async () => {
    const form = aForm();
    for (const reader of [owner, editor, viewer, aServiceAccount({ instanceId })])
      await expect(list(form, {}, reader)).resolves.toMatchObject({ total: 0 });
    await expect(list(form, {}, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(list(form, {}, stranger)).rejects.toEqual(refused('not_found'));
    await expect(list('nonsense')).rejects.toEqual(refused('not_found'));
  });
});

describe('changing the status', () => {
  const change = (form_id: string, id: string, status: string, as: Caller = owner) =>
    client.changeStatus(callAs(as), { form_id, id, status });

  it('records the change in the history and emits an event', async () => {
    const form = aForm();
    const { id } = await submit(form);
    expect(await change(form, id, 'approved', editor)).toMatchObject({ id, status: 'approved' });

    expect(await db('status_change').where({ submission_id: id })).toMatchObject([
      { from_status: 'new', to_status: 'approved', actor_id: editor.id },
    ]);
    await eventually(() =>
      expect(eventsOf(id)[1]).toEqual({
        event: 'submission.status_changed',
        form_id: form,
        occurred_at: expect.any(String) as unknown,
        submission_id: id,
        previous_status: 'new',
        new_status: 'approved',
      }),
    );
  });

  it('to the current one changes nothing and emits no event', async () => {
    const form = aForm();
    const { id } = await submit(form);
    expect(await change(form, id, 'new')).toMatchObject({ status: 'new' });

    expect(await db('status_change').where({ submission_id: id })).toEqual([]);
    expect(await db('outbox').where({ subject: id, type: 'submission.status_changed' })).toEqual([]);
  });

  it('is allowed only for owners, editors and service accounts', async () => {
    const form = aForm();
    const { id } = await submit(form);
    await expect(change(form, id, 'approved', viewer)).rejects.toEqual(refused('forbidden'));
    await expect(change(form, id, 'approved', outsider)).rejects.toEqual(refused('forbidden'));
    await expect(change(form, id, 'approved', stranger)).rejects.toEqual(refused('not_found'));
    await expect(change(form, id, 'approved', aServiceAccount({ instanceId }))).resolves.toMatchObject({ status: 'approved' });
    await expect(change(form, unknownId, 'approved')).rejects.toEqual(refused('not_found'));
    await expect(change(aForm(), id, 'approved')).rejects.toEqual(refused('not_found'));
  });

  it('keeps the counts exact under concurrent changes', async () => {
    const form = aForm();
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await submit(form)).id));
    await Promise.all(ids.flatMap((id) => ['approved', 'rejected', 'new', 'approved'].map((status) => change(form, id, status))));

    const all = await list(form);
    const byStatus = await Promise.all(['new', 'approved', 'rejected'].map((status) => list(form, { status })));
    expect(all.total).toBe(6);
    expect(byStatus.map(({ total }) => total)).toEqual(byStatus.map(({ ids: listed }) => listed.length));
  });
});

it('an unknown submission is not found, before anybody is told that their role is too low', async () => {
  const form_id = aForm();
  const { id: other } = await submit(aForm());
  for (const id of [unknownId, other, 'nonsense']) {
    const named = { form_id, id };
    for (const as of [viewer, outsider]) {
      const call = callAs(as);
      await expect(client.getSubmission(call, named)).rejects.toEqual(refused('not_found'));
      await expect(client.changeStatus(call, { ...named, status: 'approved' })).rejects.toEqual(refused('not_found'));
      await expect(client.deleteSubmission(call, named)).rejects.toEqual(refused('not_found'));
      await expect(client.restoreSubmission(call, named)).rejects.toEqual(refused('not_found'));
      await expect(client.correctSubmission(call, { ...named, data: Buffer.from('{}'), revision: 0 })).rejects.toEqual(
        refused('not_found'),
      );
    }
  }
});

describe('deleting', () => {
  const remove = (form_id: string, id: string, as: Caller = owner) => client.deleteSubmission(callAs(as), { form_id, id });

  it('removes the submission from list, detail and total, and emits an event', async () => {
    const form = aForm();
    const { id } = await submit(form);
    await remove(form, id, editor);

    expect(await list(form)).toEqual({ total: 0, ids: [] });
    await expect(client.getSubmission(callAs(owner), { form_id: form, id })).rejects.toEqual(refused('not_found'));
    await expect(remove(form, id)).rejects.toEqual(refused('not_found'));
    await eventually(() =>
      expect(eventsOf(id)[1]).toEqual({
        event: 'submission.deleted',
        form_id: form,
        occurred_at: expect.any(String) as unknown,
        submission_id: id,
      }),
    );
  });

  it('is refused to viewers', async () => {
    const form = aForm();
    const { id } = await submit(form);
    await expect(remove(form, id, viewer)).rejects.toEqual(refused('forbidden'));
  });
});
