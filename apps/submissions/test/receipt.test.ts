import { FieldList, storedItems, withOthers } from '@sheaf/contracts';
import { newId, Problem } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { StartedWithPayments } from './started-with-payments';

const payments = new StartedWithPayments();
const { started } = payments;
const { clock, respondent } = started;
beforeAll(payments.start);
afterAll(payments.stop);

const receiptOf = (form_id: string, sent: { id?: string; idempotency_key?: string; data?: Buffer }, as = respondent) =>
  started.client.getReceipt(callAs(as), { form_id, ...sent });

describe('a receipt', () => {
  it('is found by the id of the submission and by its idempotency key', async () => {
    const form = started.aForm();
    const sent = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    const receipt = {
      id: sent.id,
      form_id: form,
      status: 'new',
      created_at: clock.now().toISOString(),
      file_names: {},
      price: { amount: 0, currency: '' },
    };
    expect(await receiptOf(form, { id: sent.id })).toEqual(receipt);
    expect(await receiptOf(form, { idempotency_key: 'key-1' })).toEqual(receipt);
  });

  it('says whether given answers are those that were sent under the key, also once the form is gone', async () => {
    const form = started.aForm();
    await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    const forms = { ...started.deps.forms, published: () => Promise.reject(Problem.notFound('form')) };
    for (const client of [started.client, await started.startProcess({ forms })]) {
      const isSame = async (answers: object) => {
        const data = Buffer.from(JSON.stringify(answers));
        return (await client.getReceipt(callAs(respondent), { form_id: form, idempotency_key: 'key-1', data })).is_same;
      };
      expect([await isSame({ name: 'Ada' }), await isSame({ name: 'Grace' })]).toEqual([true, false]);
    }
    expect((await receiptOf(form, { idempotency_key: 'key-1' })).is_same).toBeUndefined();
  });

  it('is not found for another id, key, form or instance', async () => {
    const form = started.aForm();
    const { id } = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    const missing: Parameters<typeof receiptOf>[] = [
      [form, { id: newId() }],
      [form, { id: 'a-made-up-id' }],
      [form, { idempotency_key: 'key-2' }],
      [started.aForm(), { id }],
      [started.aForm(), { idempotency_key: 'key-1' }],
      ['a-made-up-form', { id }],
      [form, { id }, { kind: 'respondent', instanceId: newId() }],
      [form, { idempotency_key: 'key-1' }, { kind: 'respondent', instanceId: newId() }],
    ];
    for (const of of missing) await expect(receiptOf(...of)).rejects.toEqual(refused('not_found'));
  });

  it('says where to pay while that is possible', async () => {
    const { form, id, session } = await payments.pending();
    expect(await receiptOf(form, { id })).toMatchObject({ status: 'pending_payment', payment_url: session.url });
    await payments.sendPaid(session);
    const paid = await receiptOf(form, { id });
    expect([paid.status, paid.payment_url]).toEqual(['new', undefined]);
  });

  it('starts the payment that could not be started when the answers were sent', async () => {
    const form = payments.aForm();
    payments.stripe.mode = 'unreachable';
    await expect(payments.submit(form, 'key-1')).rejects.toEqual(refused('unavailable'));
    await expect(receiptOf(form, { idempotency_key: 'key-1' })).rejects.toEqual(refused('unavailable'));
    payments.stripe.mode = 'normal';
    const { id, payment_url } = await receiptOf(form, { idempotency_key: 'key-1' });
    expect(payment_url).toBe(payments.stripe.sessionOf(id).url);
  });

  it('outlives the form', async () => {
    const form = started.aForm({ settings: { show_answers: true } });
    const { id } = await started.submit(form);
    // A process that has not seen the form before, as it would not find it either.
    const forms = { ...started.deps.forms, published: () => Promise.reject(Problem.notFound('form')) };
    const client = await started.startProcess({ forms });
    expect(await client.getReceipt(callAs(respondent), { form_id: form, id })).toMatchObject({ id, status: 'new' });
  });

  it('is the same for spam and in the trash', async () => {
    const form = started.aForm();
    const spam = await started.submit(form, { name: 'Bot' }, { hp: 'x' });
    expect(await receiptOf(form, { id: spam.id })).toMatchObject({
      id: spam.id,
      form_id: form,
      status: 'new',
      created_at: spam.created_at,
    });

    const { id } = await started.submit(form);
    await started.client.deleteSubmission(callAs(started.owner), { form_id: form, id });
    expect(await receiptOf(form, { id })).toMatchObject({ id, status: 'new' });
  });
});

describe('the answers on a receipt', () => {
  const shown = async (form_id: string, id: string) => {
    const { data, fields } = await receiptOf(form_id, { id });
    return data && fields && { data: JSON.parse(data.toString()) as unknown, fields: JSON.parse(fields.toString()) as unknown };
  };
  const aForm: typeof started.aForm = (form) => started.aForm({ settings: { show_answers: true }, ...form });

  it('are shown for an hour if the form says so, and otherwise not at all', async () => {
    const form = aForm();
    const { id } = await started.submit(form, { name: 'Ada' });
    clock.advance(3_599_999);
    expect(await shown(form, id)).toMatchObject({ data: { name: 'Ada' } });
    clock.advance(1);
    expect(await shown(form, id)).toBeUndefined();

    const other = started.aForm();
    expect(await shown(other, (await started.submit(other)).id)).toBeUndefined();
  });

  it('come with the fields of the version that they were made against', async () => {
    const then = [{ key: 'name', label: 'Your name', type: 'short_text', required: false }];
    const form = aForm({ earlier: { 2: Buffer.from(JSON.stringify(then)) } });
    const { id } = await started.submit(form);
    await started.db('submission').where({ id }).update({ schema_version: 2 });
    expect(await shown(form, id)).toEqual({ data: { name: 'Ada' }, fields: then });
  });

  it('are shown to the sender of spam as to everybody, and to nobody in the trash', async () => {
    const form = aForm();
    const spam = await started.submit(form, { name: 'Bot' }, { hp: 'x' });
    expect(await shown(form, spam.id)).toMatchObject({ data: { name: 'Bot' } });

    const { id } = await started.submit(form);
    await started.client.deleteSubmission(callAs(started.owner), { form_id: form, id });
    expect(await shown(form, id)).toBeUndefined();
  });

  it('are left out while an earlier release of forms knows only the latest fields', async () => {
    const form = aForm();
    const { id } = await started.submit(form);
    await started.db('submission').where({ id }).update({ schema_version: 1 });
    started.latestOnly = true;
    expect(await shown(form, id)).toBeUndefined();
    started.latestOnly = false;
    expect(await shown(form, id)).toMatchObject({ data: { name: 'Ada' } });
  });
});

describe('the answers in the texts of a receipt', () => {
  const fields = [
    { key: 'name', label: 'Your name', type: 'short_text', required: false },
    { key: 'secret', label: 'Secret', type: 'short_text', required: false },
    { key: 'kind', label: 'Kind', type: 'select', required: false, options: ['a'], other: { label: 'Other' } },
  ];
  const ending = { type: 'ending', name: 'ada', if: { key: 'name', equals: 'Ada' }, title: 'Welcome, {{name}}', text: 'A {{kind}}' };
  const formWith = (thanks: string, ...more: object[]) =>
    started.aForm({
      fields: Buffer.from(storedItems(withOthers(FieldList.parse([...fields, ...more])))),
      settings: { thank_you: { text: thanks } },
    });
  const shown = async (form: string, id: string) => {
    const { piped } = await receiptOf(form, { id });
    return piped && (JSON.parse(piped.toString()) as { data: object; fields: { key: string }[] });
  };

  it('are those that its ending shows, or else the thank-you, and no others', async () => {
    const form = formWith('Bye {{name}}', ending);
    const ada = await started.submit(form, { name: 'Ada', secret: 'x', kind: 'other', kind_other: 'Z' });
    expect(await shown(form, ada.id)).toMatchObject({ data: { name: 'Ada', kind: 'other', kind_other: 'Z' }, file_names: {} });
    expect((await shown(form, ada.id))?.fields.map(({ key }) => key)).toEqual(['name', 'kind']);
    const grace = await started.submit(form, { name: 'Grace', secret: 'x' });
    expect((await shown(form, grace.id))?.data).toEqual({ name: 'Grace' });
    const plain = formWith('Bye');
    expect(await shown(plain, (await started.submit(plain, { name: 'Ada' })).id)).toBeUndefined();
  });

  it('are those that were accepted, for an hour, and none in the trash', async () => {
    const form = formWith('Bye {{name}}');
    const [one, other] = [await started.submit(form, { name: 'Ada' }), await started.submit(form, { name: 'Ada' })];
    await started.client.correctSubmission(callAs(started.owner), {
      form_id: form,
      id: one.id,
      data: Buffer.from('{"name":"G"}'),
      revision: 0,
    });
    await started.client.deleteSubmission(callAs(started.owner), { form_id: form, id: other.id });
    clock.advance(3_599_999);
    expect([(await shown(form, one.id))?.data, await shown(form, other.id)]).toEqual([{ name: 'Ada' }, undefined]);
    clock.advance(1);
    expect(await shown(form, one.id)).toBeUndefined();
  });
});

describe('the ending on a receipt', () => {
  const name = { key: 'name', label: 'Your name', type: 'short_text', required: false };
  const fieldsWith = (...endings: object[]) => Buffer.from(JSON.stringify([name, ...endings.map((each) => ({ type: 'ending', ...each }))]));
  const ada = { name: 'ada', if: { key: 'name', equals: 'Ada' }, title: 'Welcome, Ada', text: 'See *you*.' };
  const anybody = { name: 'anybody', if: { key: 'name', answered: true }, title: 'Welcome' };
  const read = ({ ending }: { ending?: Buffer }) => ending && (JSON.parse(ending.toString()) as unknown);
  const { if: _, ...told } = ada;

  it('is the first whose condition holds, and the same right after sending, when the request is repeated, and later', async () => {
    const form = started.aForm({ fields: fieldsWith(ada, anybody) });
    const sent = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    const again = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    expect([read(sent), read(again), read(await receiptOf(form, { id: sent.id }))]).toEqual([told, told, told]);
    expect(read(await started.submit(form, { name: 'Grace' }))).toEqual({ name: 'anybody', title: 'Welcome' });
    expect(read(await started.submit(form, {}))).toBeUndefined();
  });

  it('is that of the version that was answered, whatever the form has by now', async () => {
    const form = started.aForm({ earlier: { 2: fieldsWith(ada), 3: fieldsWith(anybody) } });
    const { id } = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    await started.db('submission').where({ id }).update({ schema_version: 2 });
    const again = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    expect([read(await receiptOf(form, { id })), read(again)]).toEqual([told, told]);
  });

  it('is unavailable where a later release has made the version, as is whether a repeat has the same answers', async () => {
    const later = [
      { key: 'scent', label: 'Scent', type: 'smell', required: false },
      { type: 'ending', ...ada },
    ];
    const form = started.aForm({ earlier: { 2: Buffer.from(JSON.stringify(later)) } });
    const { id } = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    await started.db('submission').where({ id }).update({ schema_version: 2 });
    await expect(receiptOf(form, { id })).rejects.toEqual(refused('unavailable'));
    for (const answers of [{ name: 'Ada' }, { name: 'Ada', scent: '' }])
      await expect(started.submit(form, answers, { idempotency_key: 'key-1' })).rejects.toEqual(refused('unavailable'));
  });

  it('stays as the respondent has read it when the answers are corrected', async () => {
    const form = started.aForm({ fields: fieldsWith(ada, anybody) });
    const { id } = await started.submit(form, { name: 'Ada' });
    await started.client.correctSubmission(callAs(started.owner), {
      form_id: form,
      id,
      data: Buffer.from('{"name":"Grace"}'),
      revision: 0,
    });
    expect(read(await receiptOf(form, { id }))).toEqual(told);
  });

  it('is told for an hour after the answers count, and not in the trash', async () => {
    const form = started.aForm({ fields: fieldsWith(ada) });
    const receipt = async (of: string, id: string) => {
      const { ending, has_ending } = await receiptOf(of, { id });
      return [ending !== undefined, has_ending];
    };
    const { id } = await started.submit(form, { name: 'Ada' });
    const other = await started.submit(form, { name: 'Ada' });
    await started.client.deleteSubmission(callAs(started.owner), { form_id: form, id: other.id });
    clock.advance(3_599_999);
    expect([await receipt(form, id), await receipt(form, other.id)]).toEqual([
      [true, true],
      [false, true],
    ]);
    const paid = await payments.pending({ fields: fieldsWith(ada) });
    clock.advance(3_600_000);
    expect(await receipt(form, id)).toEqual([false, true]);
    await payments.sendPaid(paid.session);
    expect(await receipt(paid.form, paid.id)).toEqual([true, true]);
  });

  it('is the same for spam, and told together with a payment that is due', async () => {
    const form = started.aForm({ fields: fieldsWith(ada) });
    expect(read(await started.submit(form, { name: 'Ada' }, { hp: 'x' }))).toEqual(told);
    const paid = payments.aForm({ fields: fieldsWith(ada) });
    const { id } = await started.submit(paid, { name: 'Ada' });
    expect(await receiptOf(paid, { id })).toMatchObject({ status: 'pending_payment', ending: expect.any(Buffer) as Buffer });
  });
});
