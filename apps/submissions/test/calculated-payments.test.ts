import { newId } from '@sheaf/kernel';
import { priceOf } from '@sheaf/formulas';
import { callAs, propertyRuns, refused } from '@sheaf/testing';
import fc from 'fast-check';
import { completed, StartedWithPayments } from './started-with-payments';

const payments = new StartedWithPayments();
const { started, send, sendPaid, paymentOf, statusOf, recorded } = payments;
const { owner, respondent } = started;
beforeAll(payments.start);
beforeEach(() => {
  payments.stripe.mode = 'normal';
});
afterAll(payments.stop);

const fields = [
  { key: 'places', label: 'Places', type: 'number', required: false },
  { key: 'price', label: 'Price', type: 'number', required: false },
  { key: 'comes', label: 'Do you come?', type: 'boolean', required: false },
  {
    ...{ key: 'total', label: 'Total', type: 'calculated', required: false, formula: 'places * price' },
    visible_if: { not: { key: 'comes', equals: false } },
  },
];
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const payment = { amount_from: 'total', currency: 'eur' };
const aForm = (settings: Parameters<typeof started.aForm>[0] = {}) => payments.aForm({ fields: json(fields), payment, ...settings });
const submit = (
  form: string,
  data: object,
  more: { idempotency_key?: string; return_url?: string; amount_seen?: number } = {},
  at = started.client,
) => at.submit(callAs(respondent), { form, data: json(data), ...more });
const storedOf = (form: string) => started.db('submission').where({ form_id: form });
const duesOf = (form: string) => started.db('payment').where({ form_id: form }).pluck<number[]>('amount');
const faultsOf = async (sent: Promise<unknown>) => {
  const { details } = (await sent.catch((thrown: unknown) => thrown)) as { details?: unknown };
  return details;
};

describe('a payment of a calculated amount', () => {
  it('is of the amount that is computed as the answers are accepted, whatever the client sends for it', async () => {
    const form = aForm();
    const { id, status } = await submit(form, { places: 3, price: 8.345, total: 0.01 });
    expect(status).toBe('pending_payment');
    expect(payments.stripe.sessionOf(id)).toMatchObject({ amount_total: 2504, currency: 'eur' });
    expect(await paymentOf(form, id)).toMatchObject({ amount: 2504, currency: 'eur', state: 'open' });

    await sendPaid(payments.stripe.sessionOf(id));
    expect(await statusOf(form, id)).toBe('new');
    expect(await recorded(id)).toEqual(['submission.created']);
  });

  it.each([
    ['is 0', { places: 0, price: 5 }],
    ['is empty', { places: 2 }],
    ['rounds to 0', { places: 1, price: 0.004 }],
    ['is hidden', { places: 2, price: 5, comes: false }],
  ])('is due from nobody whose amount %s: the submission counts at once', async (_, data) => {
    const form = aForm();
    const { id, status, payment_url } = await submit(form, data, { return_url: 'https://forms.example.org/r', amount_seen: 0 });
    expect({ status, payment_url }).toEqual({ status: 'new', payment_url: undefined });
    expect(await duesOf(form)).toEqual([]);
    expect(await recorded(id)).toEqual(['submission.created']);
    await expect(paymentOf(form, id)).rejects.toEqual(refused('not_found'));
  });

  it.each([
    [-1, { code: 'too_small', params: { min: 0 }, message: 'must be at least 0' }],
    [0.494, { code: 'too_small', params: { min: 0.5 }, message: 'must be at least 0.5' }],
    [1_000_000, { code: 'too_large', params: { max: 999_999.99 }, message: 'must be at most 999999.99' }],
  ])('is refused for an amount of %d, with the field and the bound, and stores nothing', async (price, fault) => {
    const form = aForm({ draft: fields });
    const data = { places: 1, price };
    expect(await faultsOf(submit(form, data))).toEqual([{ key: 'total', ...fault }]);
    expect(await storedOf(form)).toEqual([]);
    const { faults } = await started.client.checkAnswers(callAs(respondent), { form, data: json(data) });
    expect(JSON.parse(faults.toString())).toEqual([{ key: 'total', ...fault }]);
    const trial = await started.client.tryDraft(callAs(owner), { form_id: form, data: json(data) });
    expect(JSON.parse(trial.faults.toString())).toEqual([{ key: 'total', ...fault }]);
  });

  it('is not what a correction of the answers makes of it, before it is paid or later', async () => {
    const form = aForm();
    const { id } = await submit(form, { places: 2, price: 10 });
    const correct = (places: number, revision: number) =>
      started.client.correctSubmission(callAs(owner), { form_id: form, id, data: json({ places, price: 10 }), revision });
    await correct(3, 0);
    expect(await paymentOf(form, id)).toMatchObject({ amount: 2000, state: 'open' });
    await sendPaid(payments.stripe.sessionOf(id));
    await correct(-5, 1);
    expect(await paymentOf(form, id)).toMatchObject({ amount: 2000, state: 'paid' });
    expect((await started.client.getReceipt(callAs(respondent), { form_id: form, id })).price).toEqual({ amount: 2000, currency: 'eur' });
  });

  it('that is open while another version is published is still of its own amount, and so is its receipt', async () => {
    const form = aForm();
    const { id } = await submit(form, { places: 2, price: 10 }, { idempotency_key: 'key-1' });
    started.setPayment(form, { amount: 900, currency: 'usd' });
    const later = await started.startAfresh();
    const again = await submit(form, { places: 2, price: 10 }, { idempotency_key: 'key-1' }, later);
    expect(again).toMatchObject({ id, payment_url: payments.stripe.sessionOf(id).url });
    expect((await submit(form, { places: 2, price: 10 }, {}, later)).payment_url).toBeDefined();
    expect((await duesOf(form)).sort((a, b) => a - b)).toEqual([900, 2000]);

    const receipt = () => later.getReceipt(callAs(respondent), { form_id: form, id });
    expect(await receipt()).toMatchObject({ status: 'pending_payment', price: { amount: 2000, currency: 'eur' } });
    await send(completed, payments.stripe.sessionOf(id), { payment_status: 'paid', amount_total: 900, currency: 'usd' });
    expect(await statusOf(form, id)).toBe('pending_payment');
    await sendPaid(payments.stripe.sessionOf(id));
    expect(await receipt()).toMatchObject({ status: 'new', price: { amount: 2000, currency: 'eur' } });
  });

  it.each([
    ['another amount', { amount_seen: 1999 }],
    ['nothing to pay', { amount_seen: 0 }],
    ['no amount, as one of an earlier release', {}],
  ])('is not asked of somebody whose page showed %s: the page is drawn again', async (_, seen) => {
    const form = aForm();
    const page = { return_url: 'https://forms.example.org/r', idempotency_key: newId() };
    const refusal = submit(form, { places: 2, price: 10 }, { ...page, ...seen });
    await expect(refusal).rejects.toEqual(refused('unavailable'));
    expect(await faultsOf(refusal)).toMatchObject([{ key: 'total', code: 'price_changed' }]);
    expect(await storedOf(form)).toEqual([]);
    expect((await submit(form, { places: 2, price: 10 }, { ...page, amount_seen: 2000 })).payment_url).toBeDefined();
  });

  it('is never read by an earlier release: it sees an amount of 0, which the database refuses', async () => {
    const form = aForm({ payment: { amount: 0, currency: 'eur' } });
    await expect(submit(form, { places: 2, price: 10 })).rejects.toEqual(refused('internal_error'));
    expect(await storedOf(form)).toEqual([]);
  });

  it('is refused while a `forms` of an earlier release tells neither the amount nor the field', async () => {
    const form = aForm({ payment: { currency: 'eur' } });
    await expect(submit(form, { places: 2, price: 10 })).rejects.toEqual(refused('internal_error'));
    expect(await storedOf(form)).toEqual([]);
  });

  it('is always the price of the answers that are stored', async () => {
    const form = aForm();
    const amount = fc
      .tuple(fc.integer({ min: 0, max: 10 ** 8 }), fc.integer({ min: 0, max: 6 }))
      .map(([n, places]) => Number(`${n}e-${places}`));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 9 }), amount, async (places, price) => {
        const { id } = await submit(form, { places, price, total: 1 }).catch(() => ({ id: undefined }));
        if (id === undefined) return expect(places * price > 999_999 || places * price < 0.5).toBe(true);
        const [stored] = (await storedOf(form).where({ id })) as { data: Record<string, unknown> }[];
        const due = priceOf(payment, stored?.data ?? {});
        const paid = await started.db('payment').where({ submission_id: id }).pluck<number[]>('amount');
        expect(paid).toEqual(due ? [due.amount] : []);
      }),
      propertyRuns(30),
    );
  });
});
