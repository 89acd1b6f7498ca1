import { newId, type Caller } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs, eventually, refused, type SignedEvent, type StandInStripe, startStripe, type StripeSession } from '@sheaf/testing';
import { expireAbandoned } from '../src/payments/settle-payment';
import { stripePayments } from '../src/payments/stripe';
import { Started } from './started';

const started = new Started();
const { clock, instanceId, owner, viewer, outsider, respondent, heard } = started;
const gateway: Caller = { kind: 'service', id: 'gateway' };
const newSecret = 'whsec_the_next_one';

let db: Started['db'];
let stripe: StandInStripe;
// Two processes of the service, and a third without payments configured.
let client: Started['client'];
let second: Started['client'];
let withoutPayments: Started['client'];

beforeAll(async () => {
  stripe = await startStripe();
  const provider = stripePayments({
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: [newSecret, stripe.webhookSecret],
    STRIPE_API_BASE: stripe.url,
    STRIPE_TIMEOUT_MS: 2_000,
    PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks?submission={submission_id}',
    PAYMENT_CANCEL_URL: 'https://forms.example.org/f/{form_id}',
  });
  ({ db, client } = await started.start({}, { payments: { provider, log: silentLog() } }));
  second = await started.another();
  withoutPayments = await started.another({ payments: undefined });
});
beforeEach(() => {
  stripe.mood = 'well';
});
afterAll(async () => {
  await started.stop();
  await stripe.close();
});

const aForm: Started['aForm'] = (given) => started.aForm({ title: 'Workshop', payment: { amount: 2500, currency: 'eur' }, ...given });
const submit = (form: string, idempotency_key?: string, at = client) =>
  at.submit(callAs(respondent), { form, data: Buffer.from('{"name":"Ada"}'), idempotency_key });
const take = ({ body, signature }: SignedEvent, at = client) => at.takePaymentEvent(callAs(gateway), { body, signature });
const completed = 'checkout.session.completed';
const expired = 'checkout.session.expired';
const tell = async (type: string, session: StripeSession, changes: Partial<StripeSession> = {}) =>
  take(await stripe.event(type, session, changes, { at: clock.now() }));
const tellPaid = (session: StripeSession) => tell(completed, session, { payment_status: 'paid' });
const paymentOf = (form_id: string, id: string, as: Caller = owner) => client.getPayment(callAs(as), { form_id, id });
const statusOf = async (form_id: string, id: string) => (await client.getSubmission(callAs(owner), { form_id, id })).status;
const isOpen = async (form: string) => (await client.getIntakeForm(callAs(respondent), { form })).open;
/** Events for subscribers, whether or not they were sent already. */
const recorded = async (submissionId: string) =>
  ((await db('outbox').where({ subject: submissionId }).whereLike('type', 'submission.%').orderBy('position')) as { type: string }[]).map(
    ({ type }) => type,
  );
/** A submission that waits for its payment. */
async function pending(given: Parameters<typeof aForm>[0] = {}) {
  const form = aForm(given);
  const { id } = await submit(form);
  return { form, id, session: stripe.sessionOf(id) };
}

describe('submitting to a form that collects a payment', () => {
  it('stores the submission, returns where to pay, and emits no event yet', async () => {
    const form = aForm();
    const receipt = await submit(form);

    const session = stripe.sessionOf(receipt.id);
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

  it('returns the same submission and checkout under the same key, even to concurrent requests', async () => {
    const form = aForm();
    const receipts = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => submit(form, 'key-1', n % 2 === 0 ? client : second)));
    const receipt = await submit(form, 'key-1');

    for (const result of receipts) if (result.status === 'fulfilled') expect(result.value).toEqual(receipt);
    expect(receipts.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(receipt.payment_url).toBe(stripe.sessionOf(receipt.id).url);
    expect(stripe.sessions.filter(({ metadata }) => metadata.form_id === form)).toHaveLength(1);
    expect(await db('submission').where({ form_id: form })).toHaveLength(1);
  });

  it.each(['away', 'lost'] as const)(
    'keeps the submission while Stripe is %s, and a repeated request leads to a single checkout',
    async (mood) => {
      const form = aForm();
      stripe.mood = mood;
      await expect(submit(form, 'key-1')).rejects.toEqual(refused('unavailable'));
      const [stored] = (await db('submission').where({ form_id: form })) as { id: string; status: string }[];
      expect(stored).toMatchObject({ status: 'pending_payment' });

      stripe.mood = 'well';
      expect(await submit(form, 'key-1')).toMatchObject({ id: stored?.id, payment_url: stripe.sessionOf(stored?.id ?? '').url });
      expect(stripe.sessions.filter(({ metadata }) => metadata.form_id === form)).toHaveLength(1);
      expect(await db('submission').where({ form_id: form })).toHaveLength(1);
    },
  );

  it('reports an internal error if Stripe refuses the checkout', async () => {
    stripe.mood = 'refusing';
    await expect(submit(aForm())).rejects.toEqual(refused('internal_error'));
  });

  it('is refused without a payment setup, and stores nothing', async () => {
    const form = aForm();
    expect(await withoutPayments.getIntakeForm(callAs(respondent), { form })).toMatchObject({
      open: false,
      payment: { amount: 2500, currency: 'eur' },
    });
    await expect(submit(form, undefined, withoutPayments)).rejects.toEqual(
      refused('forbidden', 'This form collects a payment, but payments are not set up here.'),
    );
    expect(await db('submission').where({ form_id: form })).toEqual([]);
    expect(await isOpen(form)).toBe(true);
  });
});

describe('a payment', () => {
  it('completes and announces the submission once, however many events arrive in however many processes', async () => {
    const { form, id, session } = await pending();
    clock.advance(60_000);
    const events = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        stripe.event(
          n % 3 === 0 ? 'checkout.session.async_payment_succeeded' : completed,
          session,
          { payment_status: 'paid' },
          { at: clock.now() },
        ),
      ),
    );
    await Promise.all(events.map((event, n) => take(event, n % 2 === 0 ? client : second)));

    expect(await statusOf(form, id)).toBe('new');
    expect(await recorded(id)).toEqual(['submission.created']);
    expect(await db('status_change').where({ submission_id: id })).toMatchObject([
      { from_status: 'pending_payment', to_status: 'new', actor_kind: 'service' },
    ]);
    expect(await paymentOf(form, id)).toMatchObject({
      state: 'paid',
      paid_at: clock.now().toISOString(),
      reference: `pi_of_${session.id}`,
    });
    expect(await client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 0, status: 'new' })).toMatchObject({ total: 1 });
    expect(await client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 0, status: 'pending_payment' })).toMatchObject({
      total: 0,
    });
    await eventually(() => expect(heard.filter(({ subject }) => subject === id).map(({ type }) => type)).toContain('submission.created'));
  });

  it('leaves nothing to pay: a repeated request returns the current status', async () => {
    const form = aForm();
    const { id } = await submit(form, 'key-1');
    await tellPaid(stripe.sessionOf(id));
    const again = await submit(form, 'key-1');
    expect(again).toMatchObject({ id, status: 'new' });
    expect(again.payment_url).toBeUndefined();
  });

  it.each([
    ['is forged', { secret: 'whsec_guessed' }, 0],
    ['was signed long ago', {}, -301_000],
  ])('is refused if its event %s', async (_, signedWith, ageMs) => {
    const { form, id, session } = await pending();
    const event = await stripe.event(
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
    const { body, signature } = await stripe.event(completed, session, { payment_status: 'paid' }, { at: clock.now() });
    await expect(take({ body: Buffer.from(`${body.toString()} `), signature })).rejects.toEqual(refused('bad_request'));
    await expect(take({ body, signature: '' })).rejects.toEqual(refused('bad_request'));
    await expect(take({ body: Buffer.alloc(0), signature })).rejects.toEqual(refused('bad_request'));
    expect(await statusOf(form, id)).toBe('pending_payment');
  });

  it('is accepted with either of two secrets during a rotation', async () => {
    const { form, id, session } = await pending();
    await take(await stripe.event(completed, session, { payment_status: 'paid' }, { secret: newSecret, at: clock.now() }));
    expect(await statusOf(form, id)).toBe('new');
  });

  it.each([
    ['amount', { amount_total: 1 }],
    ['currency', { currency: 'usd' }],
  ])('with another %s completes nothing', async (_, changes) => {
    const { form, id, session } = await pending();
    await tell(completed, session, { payment_status: 'paid', ...changes });
    expect(await statusOf(form, id)).toBe('pending_payment');
    expect(await recorded(id)).toEqual([]);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'open' });
  });

  it('may take days to arrive', async () => {
    const { form, id, session } = await pending();
    await tell(completed, session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'processing' });
    expect(await recorded(id)).toEqual([]);

    await tell('checkout.session.async_payment_succeeded', session, { payment_status: 'paid' });
    // Arrives too late to matter.
    await tell(completed, session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'paid' });
    expect(await recorded(id)).toEqual(['submission.created']);
  });

  it('keeps a status that a person has set in the meantime, and still announces the submission', async () => {
    const { form, id, session } = await pending();
    await client.changeStatus(callAs(owner), { form_id: form, id, status: 'in_review' });
    await tellPaid(session);
    expect(await statusOf(form, id)).toBe('in_review');
    expect(await recorded(id)).toEqual(['submission.status_changed', 'submission.created']);
  });

  it('for a submission in the trash is recorded without an event', async () => {
    const { form, id, session } = await pending();
    await client.deleteSubmission(callAs(owner), { form_id: form, id });
    await tellPaid(session);
    expect(await db('payment').where({ submission_id: id })).toMatchObject([{ state: 'paid' }]);
    expect(await db('submission').where({ id })).toMatchObject([{ status: 'new', announced_at: null }]);
    expect(await recorded(id)).toEqual(['submission.deleted']);
    expect(await client.listSubmissions(callAs(owner), { form_id: form, limit: 25, offset: 0 })).toMatchObject({ total: 0 });
  });

  it('for a submission in the trash is announced once the submission is restored', async () => {
    const { form, id, session } = await pending();
    await client.deleteSubmission(callAs(owner), { form_id: form, id });
    await tellPaid(session);

    await client.restoreSubmission(callAs(owner), { form_id: form, id });
    expect(await statusOf(form, id)).toBe('new');
    expect((await recorded(id)).filter((type) => type === 'submission.created')).toHaveLength(1);
  });

  it('for spam is recorded, and announced once the submission is released', async () => {
    const { form, id, session } = await pending();
    await client.markSpam(callAs(owner), { form_id: form, id, spam: true });
    await tellPaid(session);
    expect(await recorded(id)).toEqual([]);

    await client.markSpam(callAs(owner), { form_id: form, id, spam: false });
    expect(await recorded(id)).toEqual(['submission.created']);
    expect(await statusOf(form, id)).toBe('new');
  });

  it('is still awaited after the submission was released from the spam', async () => {
    const { form, id, session } = await pending();
    await client.markSpam(callAs(owner), { form_id: form, id, spam: true });
    await client.markSpam(callAs(owner), { form_id: form, id, spam: false });
    expect(await recorded(id)).toEqual([]);

    await tellPaid(session);
    expect(await recorded(id)).toEqual(['submission.created']);
  });

  it('ignores events of other kinds or for other submissions', async () => {
    const { form, id, session } = await pending();
    await tell('payment_intent.succeeded', session);
    await tell(completed, { ...session, metadata: { submission_id: newId() } }, { payment_status: 'paid' });
    await tell(completed, { ...session, metadata: { submission_id: 'of-another-shop' } }, { payment_status: 'paid' });
    await tell(completed, session, { payment_status: 'paid', metadata: {} });
    expect(await statusOf(form, id)).toBe('pending_payment');
  });

  it('arrives only through the gateway, and only if payments are set up', async () => {
    const { session } = await pending();
    const event = await stripe.event(completed, session, { payment_status: 'paid' }, { at: clock.now() });
    await expect(client.takePaymentEvent(callAs(respondent), event)).rejects.toEqual(refused('forbidden'));
    await expect(client.takePaymentEvent(callAs(owner), event)).rejects.toEqual(refused('forbidden'));
    await expect(take(event, withoutPayments)).rejects.toEqual(refused('not_found'));
  });

  it('is readable with any role on the form', async () => {
    const { form, id } = await pending();
    await expect(paymentOf(form, id, viewer)).resolves.toMatchObject({ state: 'open' });
    await expect(paymentOf(form, id, outsider)).rejects.toEqual(refused('forbidden'));
    await expect(paymentOf(form, newId())).rejects.toEqual(refused('not_found'));
    await expect(paymentOf(aForm(), id)).rejects.toEqual(refused('not_found'));
  });
});

describe('the place of a payment within the limit of the form', () => {
  it('is reserved while the payment is due, and free once the checkout has expired', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    expect(await isOpen(form)).toBe(false);
    await expect(submit(form)).rejects.toEqual(refused('forbidden'));

    await Promise.all([tell(expired, session), tell(expired, session)]);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'expired' });
    expect(await statusOf(form, id)).toBe('pending_payment');
    await expect(submit(form)).resolves.toMatchObject({ status: 'pending_payment' });
    await expect(submit(form)).rejects.toEqual(refused('forbidden'));
  });

  it('is freed once if the checkout expires and the submission is marked as spam, in either order', async () => {
    for (const spamFirst of [true, false]) {
      const { form, id, session } = await pending({ max_submissions: 1 });
      const steps = [() => client.markSpam(callAs(owner), { form_id: form, id, spam: true }), () => tell(expired, session)];
      for (const step of spamFirst ? steps : steps.reverse()) await step();

      await expect(submit(form)).resolves.toMatchObject({ status: 'pending_payment' });
      await expect(submit(form)).rejects.toEqual(refused('forbidden'));
    }
  });

  it('is free once the bank has refused the payment', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await tell(completed, session);
    await tell('checkout.session.async_payment_failed', session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'failed' });
    expect(await isOpen(form)).toBe(true);
  });

  it('stays taken after the payment, whatever events arrive late', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await tellPaid(session);
    await tell(expired, session);
    expect(await paymentOf(form, id)).toMatchObject({ state: 'paid' });
    expect(await isOpen(form)).toBe(false);
  });

  it('is taken again by a payment that arrives after the checkout expired, even beyond the limit', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await tell(expired, session);
    await submit(form);
    await tellPaid(session);
    expect(await statusOf(form, id)).toBe('new');
    expect(await recorded(id)).toEqual(['submission.created']);
    expect(await db('intake').where({ form_id: form })).toMatchObject([{ accepted: 2 }]);
  });

  it('is kept by a submission that a person has accepted without payment', async () => {
    const { form, id, session } = await pending({ max_submissions: 1 });
    await client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
    await tell(expired, session);
    expect(await isOpen(form)).toBe(false);
  });

  it('is not freed by an unknown checkout', async () => {
    const { form, session } = await pending({ max_submissions: 1 });
    await tell(expired, { ...session, id: 'cs_test_of_nobody' });
    expect(await isOpen(form)).toBe(false);
  });

  it('is free after 12 hours without a checkout, for which Stripe sends no event', async () => {
    const form = aForm({ max_submissions: 1 });
    stripe.mood = 'away';
    await expect(submit(form, 'key-1')).rejects.toEqual(refused('unavailable'));
    stripe.mood = 'well';

    clock.advance(12 * 3_600_000 - 1);
    await expireAbandoned(started.deps);
    expect(await isOpen(form)).toBe(false);

    clock.advance(2);
    expect((await submit(form, 'key-1')).payment_url).toBeUndefined();
    await Promise.all([expireAbandoned(started.deps), expireAbandoned(started.deps)]);
    expect(await db('intake').where({ form_id: form })).toMatchObject([{ accepted: 0 }]);
    expect(await submit(form, 'key-1')).toMatchObject({ status: 'pending_payment' });
  });
});
