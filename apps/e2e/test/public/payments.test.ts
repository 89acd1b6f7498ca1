import { randomUUID } from 'node:crypto';
import { Documented, Person, type SignedEvent, type StandInStripe, startStripe, startSubscriber, type Subscriber } from '@sheaf/testing';
import { sharedSystem } from '../../support/shared-system';

const events = '/public/v1/payments/stripe';
let stripe: StandInStripe;
let subscriber: Subscriber;
let anyone: Person;
let owner: Person;
let form: string;

beforeAll(async () => {
  const system = await sharedSystem('shop');
  const { port } = new URL(system.env.STRIPE_API_BASE ?? '');
  [stripe, subscriber] = await Promise.all([startStripe(Number(port)), startSubscriber()]);
  anyone = new Person(system.origin, undefined, new Documented(system.origin));
  owner = anyone.with(system.credentials.api_key);

  ({ id: form } = (await owner.post('/api/v1/forms', { title: 'Workshop' })).body as { id: string });
  await saveDraft({ amount: 2500, currency: 'EUR' }, 0);
  await owner.post(`/api/v1/forms/${form}/publish`);
  await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
});
beforeEach(() => {
  stripe.mode = 'normal';
});
afterAll(async () => {
  await Promise.all([stripe.close(), subscriber.close()]);
});

const saveDraft = (payment: unknown, revision: number) =>
  owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], payment, revision });
const submit = (key: string = randomUUID()) =>
  anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, { 'idempotency-key': key });
const post = ({ body, signature }: SignedEvent) => anyone.post(events, body.toString(), { 'stripe-signature': signature });
const paidEvent = (id: string) => stripe.event('checkout.session.completed', stripe.sessionOf(id), { payment_status: 'paid' });
const deliveriesOf = (id: string) => subscriber.received.filter(({ body }) => body.includes(id));

describe('a form that collects a payment', () => {
  it('shows its payment in the draft and to respondents', async () => {
    expect(await owner.get(`/app/v1/forms/${form}/draft`)).toMatchObject({
      status: 200,
      body: { payment: { amount: 2500, currency: 'eur' }, revision: 1 },
    });
    expect(await anyone.get(`/public/v1/forms/${form}`)).toMatchObject({
      status: 200,
      body: { payment: { amount: 2500, currency: 'eur' }, open: true },
    });
  });

  it.each([
    [{ amount: 0, currency: 'eur' }, 'payment.amount: must be a whole number between 1 and 99999999'],
    [{ amount: 99.5, currency: 'eur' }, 'payment.amount: must be a whole number between 1 and 99999999'],
    [{ amount: 100 }, 'payment.currency: is required'],
    [{ amount: 100, currency: 'gold' }, 'payment.currency: must be an ISO 4217 code, such as eur'],
    ['25 euros', 'payment: '],
  ])('cannot be saved with the payment %j', async (payment, message) => {
    expect(await saveDraft(payment, 1)).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message: expect.stringContaining(message) as unknown } },
    });
  });

  it('delivers a submission once, after it is paid, even if Stripe reports the payment several times', async () => {
    const key = randomUUID();
    const receipt = await submit(key);
    const { id, payment_url } = receipt.body as { id: string; payment_url: string };
    expect(receipt).toMatchObject({ status: 201, body: { form_id: form, status: 'pending_payment' } });
    expect(payment_url).toBe(stripe.sessionOf(id).url);
    expect((await submit(key)).body).toEqual(receipt.body);
    const about = `/app/v1/forms/${form}/submissions/${id}/payment`;
    expect(await owner.get(about)).toMatchObject({
      status: 200,
      body: { submission_id: id, amount: 2500, currency: 'eur', state: 'open', provider: 'stripe' },
    });
    expect((await owner.get(`/api/v1/forms/${form}/submissions/${id}`)).body).toMatchObject({ status: 'pending_payment' });
    expect(deliveriesOf(id)).toEqual([]);

    const replies = await Promise.all(Array.from({ length: 20 }, async () => post(await paidEvent(id))));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const [first] = await subscriber.waitFor(1, ({ body }) => body.includes(id));
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      event: 'submission.created',
      form_id: form,
      data: { name: 'Ada' },
      submission: { id, schema_version: 1 },
    });

    // Any pending event has arrived once the next submission's has.
    const next = (await submit()).body as { id: string };
    await post(await paidEvent(id));
    await post(await paidEvent(next.id));
    await subscriber.waitFor(1, ({ body }) => body.includes(next.id));
    expect(deliveriesOf(id)).toHaveLength(1);
    expect(await owner.get(about)).toMatchObject({ body: { state: 'paid', reference: `pi_of_${stripe.sessionOf(id).id}` } });
    expect(await submit(key)).toMatchObject({ status: 201, body: { id, status: 'new' } });
    expect((await submit(key)).body).not.toHaveProperty('payment_url');
  });

  it('rejects events with an invalid, outdated or foreign signature', async () => {
    const { id } = (await submit()).body as { id: string };
    const { body, signature } = await paidEvent(id);
    const forged = await stripe.event(
      'checkout.session.completed',
      stripe.sessionOf(id),
      { payment_status: 'paid' },
      { secret: 'whsec_guessed' },
    );
    const old = await stripe.event(
      'checkout.session.completed',
      stripe.sessionOf(id),
      { payment_status: 'paid' },
      { at: new Date(Date.now() - 600_000) },
    );
    for (const event of [forged, old, { body: Buffer.from(body.toString().replace('2500', '2501')), signature }]) {
      expect(await post(event)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringContaining('stripe-signature: ') as unknown } },
      });
    }
    expect(await anyone.post(events, {})).toMatchObject({ status: 400 });
    expect(await anyone.post(events, 'x'.repeat(1_100_000), { 'stripe-signature': signature })).toMatchObject({ status: 413 });
    expect((await owner.get(`/api/v1/forms/${form}/submissions/${id}`)).body).toMatchObject({ status: 'pending_payment' });
  });

  it('accepts events that it does not need, so that Stripe does not send them again', async () => {
    const { id } = (await submit()).body as { id: string };
    expect(await post(await stripe.event('invoice.paid', stripe.sessionOf(id)))).toMatchObject({ status: 200, body: { received: true } });
    expect(await post(await stripe.event('checkout.session.completed', stripe.sessionOf(id), { metadata: {} }))).toMatchObject({
      status: 200,
    });
  });
});
