import { Problem } from '@sheaf/kernel';
import type Stripe from 'stripe';
import type { PaymentSettings } from './settings';
import type { CheckoutEvent, PaymentProvider } from './provider';

const toleranceSeconds = 300;

/** Payments through Stripe Checkout. The library is loaded on first use, so a deployment without payments never loads it. */
export function stripePayments(settings: PaymentSettings): PaymentProvider {
  let loading: Promise<Stripe> | undefined;
  const stripe = () => (loading ??= load(settings));
  const returnAddresses = (fillIn: (template: string) => string) => ({
    success_url: fillIn(settings.PAYMENT_SUCCESS_URL),
    ...(settings.PAYMENT_CANCEL_URL === undefined ? {} : { cancel_url: fillIn(settings.PAYMENT_CANCEL_URL) }),
  });

  return {
    async openCheckout(payment, instanceId) {
      const { id, submission_id, form_id, amount, currency, description, return_url } = payment;
      const metadata = { submission_id, form_id, instance_id: instanceId };
      const fillIn = (template: string) => template.replaceAll('{form_id}', form_id).replaceAll('{submission_id}', submission_id);
      try {
        const { checkout } = await stripe();
        const session = await checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: submission_id,
            metadata,
            payment_intent_data: { metadata },
            line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: description } } }],
            // The amount paid is compared with the amount requested; Stripe would otherwise offer other currencies.
            adaptive_pricing: { enabled: false },
            ...(return_url === null ? returnAddresses(fillIn) : { success_url: return_url, cancel_url: return_url }),
          },
          { idempotencyKey: id },
        );
        if (session.url === null) throw new Error(`the checkout session ${session.id} has no URL`);
        return { sessionId: session.id, url: session.url };
      } catch (error) {
        throw problemFrom(error);
      }
    },

    async readEvent(body, signature, receivedAt) {
      const { webhooks } = await stripe();
      const verify = (secret: string) =>
        webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, receivedAt.getTime());
      // Two secrets are valid during a rotation.
      const faults: unknown[] = [];
      for (const secret of settings.STRIPE_WEBHOOK_SECRET) {
        try {
          return checkoutEvent(verify(secret));
        } catch (error) {
          faults.push(error);
        }
      }
      throw new Problem('bad_request', 'stripe-signature: must be a signature of this body, at most 5 minutes old', {
        cause: faults[0],
      });
    },
  };
}

async function load({ STRIPE_SECRET_KEY, STRIPE_API_BASE, STRIPE_TIMEOUT_MS }: PaymentSettings): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const { protocol, hostname, port } = new URL(STRIPE_API_BASE);
  const isPlain = protocol === 'http:';
  return new Client(STRIPE_SECRET_KEY, {
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    // With the single retry it stays below the deadline of a request. The retry also lets two concurrent requests get the same checkout.
    timeout: STRIPE_TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

/** The error itself contains the request and response, which do not belong in the log. */
function problemFrom(error: unknown): Problem {
  const { type, statusCode, requestId, message } = error as { type?: string; statusCode?: number; requestId?: string; message: string };
  const cause = new Error(
    `Stripe created no checkout session: ${[type, statusCode, requestId, message].filter((part) => part !== undefined).join(' ')}`,
  );
  // A request that Stripe rejects as invalid will fail again; a conflict means another request for the same checkout is in progress.
  const isFinal = type === undefined || (type === 'StripeInvalidRequestError' && statusCode !== 409);
  return isFinal ? Problem.internal(cause) : Problem.unavailable(cause);
}

function checkoutEvent(event: Stripe.Event): CheckoutEvent | undefined {
  // Stripe has hundreds of events and adds more: all but these do not concern us.
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (event.type) {
    case 'checkout.session.completed':
      return eventOf(event, event.data.object, event.data.object.payment_status === 'paid' ? 'paid' : 'processing');
    case 'checkout.session.async_payment_succeeded':
      return eventOf(event, event.data.object, 'paid');
    case 'checkout.session.async_payment_failed':
      return eventOf(event, event.data.object, 'failed');
    case 'checkout.session.expired':
      return eventOf(event, event.data.object, 'expired');
    default:
      return undefined;
  }
}

const eventOf = ({ id }: Stripe.Event, session: Stripe.Checkout.Session, kind: CheckoutEvent['kind']): CheckoutEvent => ({
  kind,
  id,
  sessionId: session.id,
  submissionId: session.metadata?.submission_id,
  amount: session.amount_total,
  currency: session.currency,
  reference: typeof session.payment_intent === 'string' ? session.payment_intent : session.payment_intent?.id,
});
