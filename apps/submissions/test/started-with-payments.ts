import { type Caller } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs, type SignedEvent, type StandInStripe, startStripe, type StripeSession } from '@sheaf/testing';
import { stripePayments } from '../src/payments/stripe';
import { Started } from './started';

const gateway: Caller = { kind: 'service', id: 'gateway' };
export const completed = 'checkout.session.completed';
export const newSecret = 'whsec_the_next_one';

/** Two processes of the service with payments through a stand-in for Stripe, and a third without payments. */
export class StartedWithPayments {
  readonly started = new Started();
  stripe!: StandInStripe;
  second!: Started['client'];
  without!: Started['client'];

  start = async (): Promise<void> => {
    this.stripe = await startStripe();
    const provider = stripePayments({
      STRIPE_SECRET_KEY: this.stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: [newSecret, this.stripe.webhookSecret],
      STRIPE_API_BASE: this.stripe.url,
      STRIPE_TIMEOUT_MS: 2_000,
      PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks?submission={submission_id}',
      PAYMENT_CANCEL_URL: 'https://forms.example.org/f/{form_id}',
    });
    await this.started.start({}, { payments: { provider, log: silentLog() } });
    this.second = await this.started.startProcess();
    this.without = await this.started.startProcess({ payments: undefined });
  };

  stop = async (): Promise<void> => {
    await this.started.stop();
    await this.stripe.close();
  };

  aForm: Started['aForm'] = (form) => this.started.aForm({ title: 'Workshop', payment: { amount: 2500, currency: 'eur' }, ...form });

  submit = (form: string, idempotency_key?: string, at = this.started.client, return_url?: string) =>
    at.submit(callAs(this.started.respondent), { form, data: Buffer.from('{"name":"Ada"}'), idempotency_key, return_url });

  /** A submission that awaits its payment. */
  pending = async (settings: Parameters<Started['aForm']>[0] = {}) => {
    const form = this.aForm(settings);
    const { id } = await this.submit(form);
    return { form, id, session: this.stripe.sessionOf(id) };
  };

  take = ({ body, signature }: SignedEvent, at = this.started.client) => at.takePaymentEvent(callAs(gateway), { body, signature });

  /** Sends an event about a session, with changes to the session. */
  send = async (type: string, session: StripeSession, changes: Partial<StripeSession> = {}) =>
    this.take(await this.stripe.event(type, session, changes, { at: this.started.clock.now() }));

  sendPaid = (session: StripeSession) => this.send(completed, session, { payment_status: 'paid' });

  paymentOf = (form_id: string, id: string, as: Caller = this.started.owner) => this.started.client.getPayment(callAs(as), { form_id, id });

  statusOf = async (form_id: string, id: string) =>
    (await this.started.client.getSubmission(callAs(this.started.owner), { form_id, id })).status;

  isOpen = async (form: string) => (await this.started.client.getIntakeForm(callAs(this.started.respondent), { form })).open;

  /** Events for subscribers, whether or not they were sent already. */
  recorded = async (submissionId: string): Promise<string[]> =>
    this.started
      .db('outbox')
      .where({ subject: submissionId })
      .whereLike('type', 'submission.%')
      .orderBy('position')
      .pluck<string[]>('type');
}
