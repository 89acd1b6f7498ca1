import { newId } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import { completed, newSecret, StartedWithPayments } from './started-with-payments';

const payments = new StartedWithPayments();
const { started, aForm, submit, pending, take, send, sendPaid, paymentOf, statusOf, isOpen, recorded } = payments;
const { clock, instanceId, owner, viewer, outsider, respondent, received } = started;
beforeAll(payments.start);
beforeEach(() => {
  payments.stripe.mode = 'normal';
});
afterAll(payments.stop);

describe('submitting to a form that collects a payment', () => {
  it('stores the submission, returns where to pay, and emits no event yet', async () => {
    const form = aForm();
    const receipt = await submit(form);

    const session = payments.stripe.sessionOf(receipt.id);
    expect(receipt).toMatchObject({ form_id: form, status: 'pending_payment', payment_url: session.url });
    expect(session).toMatchObject({ amount_total: 2500, currency: 'eur', client_reference_id: receipt.id });
    expect(session.asked).toMatchObject({
      mode: 'payment',
      'metadata[submission_id]': receipt.id,
      'metadata[form_id]': form,
      'metadata[instance_id]': instanceId,
      'payment_intent_data[metadata][submission_id]': receipt.id,
      'line_items[0][price_data][product_data][name]': 'Workshop',
      success_url: `https://forms.example.org/thanks?submission=${receipt.id}`,
      cancel_url: `https://forms.example.org/f/${form}`,
    });
    expect(await statusOf(form, receipt.id)).toBe('pending_payment');
    expect(await recorded(receipt.id)).toEqual([]);
    expect(await paymentOf(form, receipt.id)).toMatchObject({
      submission_id: receipt.id,
      amount: 2500,
      currency: 'eur',
      state: 'open',
      provider: 'stripe',
    });
  });

  it('leads back to the page that the respondent came from, which the first request names', async () => {
    const form = aForm();
    payments.stripe.mode = 'unreachable';
    await expect(submit(form, 'key-1', started.client, 'https://forms.example.org/f/survey/receipt/a')).rejects.toEqual(
      refused('unavailable'),
    );
    payments.stripe.mode = 'normal';
    const { id } = await submit(form, 'key-1', started.client, 'https://forms.example.org/f/survey/receipt/b');
    expect(payments.stripe.sessionOf(id).asked).toMatchObject({
      success_url: 'https://forms.example.org/f/survey/receipt/a',
      cancel_url: 'https://forms.example.org/f/survey/receipt/a',
    });
  });

  it('returns the same submission and checkout under the same key, even to concurrent requests', async () => {
    const form = aForm();
    const receipts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => submit(form, 'key-1', n % 2 === 0 ? started.client : payments.second)),
    );
    const receipt = await submit(form, 'key-1');

    for (const result of receipts) if (result.status === 'fulfilled') expect(result.value).toEqual(receipt);
    expect(receipts.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(receipt.payment_url).toBe(payments.stripe.sessionOf(receipt.id).url);
    expect(payments.stripe.sessions.filter(({ metadata }) => metadata.form_id === form)).toHaveLength(1);
    expect(await started.db('submission').where({ form_id: form })).toHaveLength(1);
  });

  it.each(['unreachable', 'losing'] as const)(
    'keeps the submission while Stripe is in the mode %s, and a repeated request leads to a single checkout',
    async (mode) => {
      const form = aForm();
      payments.stripe.mode = mode;
      await expect(submit(form, 'key-1')).rejects.toEqual(refused('unavailable'));
      const [stored] = (await started.db('submission').where({ form_id: form })) as { id: string; status: string }[];
      expect(stored).toMatchObject({ status: 'pending_payment' });

      payments.stripe.mode = 'normal';
      expect(await submit(form, 'key-1')).toMatchObject({ id: stored?.id, payment_url: payments.stripe.sessionOf(stored?.id ?? '').url });
      expect(payments.stripe.sessions.filter(({ metadata }) => metadata.form_id === form)).toHaveLength(1);
      expect(await started.db('submission').where({ form_id: form })).toHaveLength(1);
    },
  );

  it('reports an internal error if Stripe refuses the checkout', async () => {
    payments.stripe.mode = 'refusing';
    await expect(submit(aForm())).rejects.toEqual(refused('internal_error'));
  });

  it('is refused without a payment setup, and stores nothing', async () => {
    const form = aForm();
    expect(await payments.without.getIntakeForm(callAs(respondent), { form })).toMatchObject({
      open: false,
      payment: { amount: 2500, currency: 'eur' },
    });
    await expect(submit(form, undefined, payments.without)).rejects.toEqual(
      refused('forbidden', 'This form collects a payment, but payments are not set up here.'),
    );
    expect(await started.db('submission').where({ form_id: form })).toEqual([]);
    expect(await isOpen(form)).toBe(true);
  });
});

describe('a payment', () => {
  it('completes and announces the submission once, however many events arrive in however many processes', async () => {
    const { form, id, session } = await pending();
    clock.advance(60_000);
    const events = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        payments.stripe.event(
          n % 3 === 0 ? 'checkout.session.async_payment_succeeded' : completed,
          session,
          { payment_status: 'paid' },
          { at: clock.now() },
        ),
      ),
    );
    await Promise.all(events.map((event, n) => take(event, n % 2 === 0 ? started.client : payments.second)));

    expect(await statusOf(form, id)).toBe('new');
    expect(await recorded(id)).toEqual(['submission.created']);
    expect(await started.db('status_change').where({ submission_id: id })).toMatchObject([
      { from_status: 'pending_payment', to_status: 'new', actor_kind: 'service' },
    ]);
    expect(await paymentOf(form, id)).toMatchObject({
      state: 'paid',
      paid_at: clock.now().toISOString(),
      reference: `pi_of_${session.id}`,
    });
    expect(await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 0, status: 'new' })).toMatchObject({
      total: 1,
    });
    expect(
      await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 0, status: 'pending_payment' }),
    ).toMatchObject({
      total: 0,
    });
    await eventually(() =>
      expect(received.filter(({ subject }) => subject === id).map(({ type }) => type)).toContain('submission.created'),
    );
  });

  it('leaves nothing to pay: a repeated request returns the current status', async () => {
    const form = aForm();
    const { id } = await submit(form, 'key-1');
    await sendPaid(payments.stripe.sessionOf(id));
    const again = await submit(form, 'key-1');
    expect(again).toMatchObject({ id, status: 'new' });
    expect(again.payment_url).toBeUndefined();
  });

  it.each([
    ['is forged', { secret: 'whsec_guessed' }, 0],
    ['was signed long ago', {}, -301_000],
  ])('is refused if its event %s', async (_, signedWith, ageMs) => {
    const { form, id, session } = await pending();
    const event = await payments.stripe.event(
      completed,
      session,
      { payment_status: 'paid' },
      { ...signedWith, at: new Date(clock.now().getTime() + ageMs) },
    );
    await expect(take(event)).rejects.toEqual(
      refused('bad_request', 'stripe-signature: must be a signature of this body, at most 5 minutes old'),
    );
    expect(await statusOf(form, id)).toBe('pending_payment');
  });

  it('is refused if its event was altered', async () => {
    const { form, id, session } = await pending();
    const { body, signature } = await payments.stripe.event(completed, session, { payment_status: 'paid' }, { at: clock.now() });
    await expect(take({ body: Buffer.from(`${body.toString()} `), signature })).rejects.toEqual(refused('bad_request'));
    await expect(take({ body, signature: '' })).rejects.toEqual(refused('bad_request'));
    await expect(take({ body: Buffer.alloc(0), signature })).rejects.toEqual(refused('bad_request'));
    expect(await statusOf(form, id)).toBe('pending_payment');
  });

  it('is accepted with either of two secrets during a rotation', async () => {
    const { form, id, session } = await pending();
    await take(await payments.stripe.event(completed, session, { payment_status: 'paid' }, { secret: newSecret, at: clock.now() }));
    expect(await statusOf(form, id)).toBe('new');
  });

  it.each([
    ['amount', { amount_total: 1 }],
    ['currency', { currency: 'usd' }],
  ])('with another %s completes nothing', async (_, changes) => {
    const { form, id, session } = await pending();
    await send(completed, session, { payment_status: 'paid', ...changes });
    expect(await statusOf(form, id)).toBe('pending_payment');
    expect(await recorded(id)).toEqual([]);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'open' });
  });

  it('may take days to arrive', async () => {
    const { form, id, session } = await pending();
    await send(completed, session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'processing' });
    expect(await recorded(id)).toEqual([]);

    await send('checkout.session.async_payment_succeeded', session, { payment_status: 'paid' });
    // Arrives too late to matter.
    await send(completed, session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'paid' });
    expect(await recorded(id)).toEqual(['submission.created']);
  });

  it('keeps a status that a person has set in the meantime, and still announces the submission', async () => {
    const { form, id, session } = await pending();
    await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'in_review' });
    await sendPaid(session);
    expect(await statusOf(form, id)).toBe('in_review');
    expect(await recorded(id)).toEqual(['submission.status_changed', 'submission.created']);
  });

  it('for a submission in the trash is recorded without an event', async () => {
    const { form, id, session } = await pending();
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
    await sendPaid(session);
    expect(await started.db('payment').where({ submission_id: id })).toMatchObject([{ state: 'paid' }]);
    expect(await started.db('submission').where({ id })).toMatchObject([{ status: 'new', announced_at: null }]);
    expect(await recorded(id)).toEqual(['submission.deleted']);
    expect(await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 0 })).toMatchObject({ total: 0 });
  });

  it('for a submission in the trash is announced once the submission is restored', async () => {
    const { form, id, session } = await pending();
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
    await sendPaid(session);

    await started.client.restoreSubmission(callAs(owner), { form_id: form, id });
    expect(await statusOf(form, id)).toBe('new');
    expect((await recorded(id)).filter((type) => type === 'submission.created')).toHaveLength(1);
  });

  it('for spam is recorded, and announced once the submission is released', async () => {
    const { form, id, session } = await pending();
    await started.client.markSpam(callAs(owner), { form_id: form, id, spam: true });
    await sendPaid(session);
    expect(await recorded(id)).toEqual([]);

    await started.client.markSpam(callAs(owner), { form_id: form, id, spam: false });
    expect(await recorded(id)).toEqual(['submission.created']);
    expect(await statusOf(form, id)).toBe('new');
  });

  it('is still awaited after the submission was released from spam', async () => {
    const { form, id, session } = await pending();
    await started.client.markSpam(callAs(owner), { form_id: form, id, spam: true });
    await started.client.markSpam(callAs(owner), { form_id: form, id, spam: false });
    expect(await recorded(id)).toEqual([]);

    await sendPaid(session);
    expect(await recorded(id)).toEqual(['submission.created']);
  });

  it('ignores events of other kinds or for other submissions', async () => {
    const { form, id, session } = await pending();
    await send('payment_intent.succeeded', session);
    await send(completed, { ...session, metadata: { submission_id: newId() } }, { payment_status: 'paid' });
    await send(completed, { ...session, metadata: { submission_id: 'of-another-shop' } }, { payment_status: 'paid' });
    await send(completed, session, { payment_status: 'paid', metadata: {} });
    expect(await statusOf(form, id)).toBe('pending_payment');
  });

  it('arrives only through the gateway, and only if payments are set up', async () => {
    const { session } = await pending();
    const event = await payments.stripe.event(completed, session, { payment_status: 'paid' }, { at: clock.now() });
    await expect(started.client.takePaymentEvent(callAs(respondent), event)).rejects.toEqual(refused('forbidden'));
    await expect(started.client.takePaymentEvent(callAs(owner), event)).rejects.toEqual(refused('forbidden'));
    await expect(take(event, payments.without)).rejects.toEqual(refused('not_found'));
  });

  it('is readable with any role on the form', async () => {
    const { form, id } = await pending();
    await expect(paymentOf(form, id, viewer)).resolves.toMatchObject({ state: 'open' });
    await expect(paymentOf(form, id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(paymentOf(form, newId())).rejects.toEqual(refused('not_found'));
    await expect(paymentOf(aForm(), id)).rejects.toEqual(refused('not_found'));
  });
});
