import { newId } from '@sheaf/kernel';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, stranger, clock, instanceId } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

type Who = Parameters<typeof callAs>[0];
const enter = (
  form_id: string,
  data: unknown = { name: 'Ada' },
  { by = editor, ...more }: { by?: Who; idempotency_key?: string; language?: string } = {},
) => started.client.enterSubmission(callAs(by), { form_id, data: Buffer.from(JSON.stringify(data)), ...more });
const history = async (form_id: string, id: string) => (await started.client.getHistory(callAs(viewer), { form_id, id })).changes;

describe('a submission that a member enters', () => {
  it('is stored, announced and audited, with the member who entered it', async () => {
    const form = started.aForm();
    const entered = await enter(form, { name: 'Ada', stars: 4, story: '' }, { language: 'pt-BR' });
    expect(entered).toMatchObject({
      status: 'new',
      schema_version: 3,
      language: 'pt-BR',
      entered_by_kind: 'user',
      entered_by_id: editor.id,
      updated_at: entered.created_at,
    });
    expect(JSON.parse(entered.data.toString())).toEqual({ name: 'Ada', stars: 4 });
    expect(await started.client.getSubmissionDetail(callAs(viewer), { form_id: form, id: entered.id })).toEqual(entered);
    expect(await started.auditOf(entered.id)).toEqual([['submission.entered', editor.id]]);
    await eventually(() =>
      expect(started.eventsOf(entered.id)).toEqual([
        {
          event: 'submission.created',
          form_id: form,
          occurred_at: entered.created_at,
          data: { name: 'Ada', stars: 4 },
          submission: { id: entered.id, form_id: form, schema_version: 3, created_at: entered.created_at },
        },
      ]),
    );
  });

  it('shows in its history who entered it, before the changes of its status', async () => {
    const form = started.aForm();
    const { id, created_at } = await enter(form);
    clock.advance(1_000);
    await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
    const [entry, change, ...others] = await history(form, id);
    expect(entry).toMatchObject({ from: '', to: 'new', actor_kind: 'user', actor_id: editor.id, at: created_at });
    expect(change).toMatchObject({ from: 'new', to: 'approved', actor_id: owner.id });
    expect(others).toEqual([]);
    const { id: sent } = await started.submit(form);
    expect(await history(form, sent)).toEqual([]);
  });

  it('is checked like that of a respondent', async () => {
    await expect(enter(started.aForm(), { name: '', stars: 9 })).rejects.toMatchObject({
      code: 'bad_request',
      details: [{ key: 'name' }, { key: 'stars' }],
    });
  });

  it('is never taken for spam', async () => {
    const form = started.aForm();
    const links = Array.from({ length: 50 }, () => 'https://spam.example').join(' ');
    const { id } = await enter(form, { name: 'Ada', story: links });
    expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
  });

  it('is taken by a closed form and beyond the limit, to which it counts', async () => {
    const closed = started.aForm({ status: 'disabled', closes_at: '2020-01-01T00:00:00Z' });
    await expect(started.submit(closed)).rejects.toEqual(refused('forbidden'));
    await enter(closed);
    const limited = started.aForm({ max_submissions: 2 });
    await started.submit(limited);
    await enter(limited);
    await expect(started.submit(limited)).rejects.toEqual(refused('forbidden'));
    await enter(limited);
    expect(await started.list(limited)).toMatchObject({ total: 3 });
  });

  it('owes no payment', async () => {
    const form = started.aForm({ payment: { amount: 2_500, currency: 'eur' } });
    const { id, status } = await enter(form);
    expect(status).toBe('new');
    expect(await started.db('payment').where({ submission_id: id })).toEqual([]);
  });

  it('is for owners and editors, and service accounts', async () => {
    const form = started.aForm();
    const robot = aServiceAccount({ instanceId, scopes: ['submissions:write'] });
    expect(await enter(form, undefined, { by: robot })).toMatchObject({ entered_by_kind: 'service_account', entered_by_id: robot.id });
    for (const [by, code] of [
      [viewer, 'forbidden'],
      [outsider, 'forbidden'],
      [stranger, 'not_found'],
    ] as const)
      await expect(enter(form, undefined, { by })).rejects.toEqual(refused(code));
    await expect(enter(newId())).rejects.toEqual(refused('not_found'));
  });
});

describe('entering a submission with an idempotency key', () => {
  it('stores it once, however often and at the same time', async () => {
    const form = started.aForm();
    const all = await Promise.all(Array.from({ length: 10 }, () => enter(form, { name: 'Ada' }, { idempotency_key: 'k1' })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await enter(form, { name: 'Ada', story: null }, { idempotency_key: 'k1' })).toMatchObject({ id: all[0]?.id });
    expect(await started.list(form)).toMatchObject({ total: 1 });
    await expect(enter(form, { name: 'Grace' }, { idempotency_key: 'k1' })).rejects.toEqual(refused('bad_request', /already used/));
  });

  it('shares no key with respondents or other members', async () => {
    const form = started.aForm();
    const ids = [
      (await started.submit(form, { name: 'Ada' }, { idempotency_key: 'k1' })).id,
      (await enter(form, { name: 'Ada' }, { idempotency_key: 'k1' })).id,
      (await enter(form, { name: 'Grace' }, { idempotency_key: 'k1', by: owner })).id,
    ];
    expect(new Set(ids).size).toBe(3);
  });

  it('that was refused leaves the key free', async () => {
    const form = started.aForm();
    await expect(enter(form, { name: '' }, { idempotency_key: 'k1' })).rejects.toEqual(refused('bad_request'));
    await enter(form, { name: 'Ada' }, { idempotency_key: 'k1' });
  });
});
