import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { StartedWithPayments } from './started-with-payments';

const payments = new StartedWithPayments();
const { started } = payments;
const { clock, respondent } = started;
beforeAll(payments.start);
afterAll(payments.stop);

const receiptOf = (form_id: string, sent: { id?: string; idempotency_key?: string }, as = respondent) =>
  started.client.getReceipt(callAs(as), { form_id, ...sent });

describe('a receipt', () => {
  it('is found by the id of the submission and by its idempotency key', async () => {
    const form = started.aForm();
    const sent = await started.submit(form, { name: 'Ada' }, { idempotency_key: 'key-1' });
    const receipt = { id: sent.id, form_id: form, status: 'new', created_at: clock.now().toISOString() };
    expect(await receiptOf(form, { id: sent.id })).toEqual(receipt);
    expect(await receiptOf(form, { idempotency_key: 'key-1' })).toEqual(receipt);
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

  it('is the same for spam and in the trash', async () => {
    const form = started.aForm();
    const spam = await started.submit(form, { name: 'Bot' }, { hp: 'x' });
    expect(await receiptOf(form, { id: spam.id })).toEqual({ id: spam.id, form_id: form, status: 'new', created_at: spam.created_at });

    const { id } = await started.submit(form);
    await started.client.deleteSubmission(callAs(started.owner), { form_id: form, id });
    expect(await receiptOf(form, { id })).toMatchObject({ id, status: 'new' });
  });
});
