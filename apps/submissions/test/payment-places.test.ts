import { callAs, refused } from '@sheaf/testing';
import { expireAbandoned } from '../src/payments/settle-payment';
import { completed, StartedWithPayments } from './started-with-payments';

const payments = new StartedWithPayments();
const { started, aForm, submit, pending, send, sendPaid, paymentOf, statusOf, isOpen, recorded } = payments;
const { clock, owner } = started;
const expired = 'checkout.session.expired';
beforeAll(payments.start);
beforeEach(() => {
  payments.stripe.mode = 'normal';
});
afterAll(payments.stop);

describe('the place of a payment within the limit of the form', () => {
  it('is reserved while the payment is due, and free once the checkout has expired', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    expect(await isOpen(form)).toBe(false);
    await expect(submit(form)).rejects.toEqual(refused('forbidden'));

    await Promise.all([send(expired, session), send(expired, session)]);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'expired' });
    expect(await statusOf(form, id)).toBe('pending_payment');
    await expect(submit(form)).resolves.toMatchObject({ status: 'pending_payment' });
    await expect(submit(form)).rejects.toEqual(refused('forbidden'));
  });

  it('is freed once if the checkout expires and the submission is marked as spam, in either order', async () => {
    for (const spamFirst of [true, false]) {
      const { form, id, session } = await pending({ max_submissions: 1 });
      const steps = [() => started.client.markSpam(callAs(owner), { form_id: form, id, spam: true }), () => send(expired, session)];
      for (const step of spamFirst ? steps : steps.reverse()) await step();

      await expect(submit(form)).resolves.toMatchObject({ status: 'pending_payment' });
      await expect(submit(form)).rejects.toEqual(refused('forbidden'));
    }
  });

  it('is free once the bank has declined the payment', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await send(completed, session);
    await send('checkout.session.async_payment_failed', session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'failed' });
    expect(await isOpen(form)).toBe(true);
  });

  it('stays taken after the payment, whatever events arrive late', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await sendPaid(session);
    await send(expired, session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'paid' });
    expect(await isOpen(form)).toBe(false);
  });

  it('is taken again by a payment that arrives after the checkout expired, even beyond the limit', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await send(expired, session);
    await submit(form);
    await sendPaid(session);
    expect(await statusOf(form, id)).toBe('new');
    expect(await recorded(id)).toEqual(['submission.created']);
    expect(await started.db('intake').where({ form_id: form })).toMatchObject([{ accepted: 2 }]);
  });

  it('is kept by a submission that a person has accepted without payment', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
    await send(expired, session);
    expect(await isOpen(form)).toBe(false);
  });

  it('is not freed by an unknown checkout', async () => {
    const { form, session } = await pending({ max_submissions: 1 });
    await send(expired, { ...session, id: 'cs_test_of_nobody' });
    expect(await isOpen(form)).toBe(false);
  });

  it('is free after 12 hours without a checkout, for which Stripe sends no event', async () => {
    const form = aForm({ max_submissions: 1 });
    payments.stripe.mode = 'unreachable';
    await expect(submit(form, 'key-1')).rejects.toEqual(refused('unavailable'));
    payments.stripe.mode = 'normal';

    clock.advance(12 * 3_600_000 - 1);
    await expireAbandoned(started.deps);
    expect(await isOpen(form)).toBe(false);

    clock.advance(2);
    expect((await submit(form, 'key-1')).payment_url).toBeUndefined();
    await Promise.all([expireAbandoned(started.deps), expireAbandoned(started.deps)]);
    expect(await started.db('intake').where({ form_id: form })).toMatchObject([{ accepted: 0 }]);
    expect(await submit(form, 'key-1')).toMatchObject({ status: 'pending_payment' });
  });
});
