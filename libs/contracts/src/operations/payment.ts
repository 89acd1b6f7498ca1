import { z } from 'zod';
import { described } from '../described';
import { createdAt, instant } from '../shapes';
import { operation } from './operation';
import { formId, submissionId } from './params';

export const paymentStates = ['requires_checkout', 'open', 'processing', 'paid', 'failed', 'expired'] as const;

/** The payment of one submission. `reference` is the provider's id for it. */
export const SubmissionPayment = described(
  z.object({
    submission_id: described(z.string(), "The submission's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07'),
    amount: described(z.int(), 'The amount in the smallest unit of the currency: 2500 in eur is 25 euros.', 2500),
    currency: described(z.string(), 'The currency.', 'eur'),
    state: described(
      z.string(),
      '`requires_checkout`: the Stripe checkout could not be created yet. `open`: awaiting payment. `processing`: in progress, which may take days. `paid`: received. `failed`: the payment failed. `expired`: the payment was not made in time.',
      'paid',
    ),
    provider: described(z.string(), 'The payment provider.', 'stripe'),
    reference: described(z.string().optional(), "The payment provider's id for the payment.", 'pi_3Qx…'),
    created_at: createdAt(),
    paid_at: described(instant().optional(), 'The time of payment.', '2026-03-04T16:05:12.000Z'),
  }),
  'The payment of one submission.',
);

/** A provider event, as documented. The service receives the body byte for byte, because the signature covers the exact bytes. */
export const StripeEventRequest = described(
  z.object({
    id: described(z.string(), "The event's id.", 'evt_1Qx…'),
    type: described(z.string(), "The event's type.", 'checkout.session.completed'),
    data: described(z.record(z.string(), z.unknown()), "The event's data.", { object: { id: 'cs_live_a1…' } }),
  }),
  'A Stripe event. Its signature covers the exact bytes of the body.',
);

export const StripeSignature = described(z.string(), "Stripe's signature of the body.");

/** Confirms that an event was received. */
export const EventTaken = described(
  z.object({ received: described(z.boolean(), 'Always true.', true) }),
  'The confirmation that an event was received.',
);

export const getSubmissionPayment = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions/:subId/payment',
  params: { id: formId, subId: submissionId },
  summary: 'Get the payment of a submission',
  description: 'Returns the payment of a submission, with its state.',
  access: { scope: 'submissions:read' },
  status: 200,
  reply: SubmissionPayment,
  errors: [401, 403, 404],
  rpc: 'submissions.GetPayment',
});

/** `submissions` holds the secret with which the signature is checked. */
export const receiveStripeEvent = operation({
  method: 'post',
  path: '/public/v1/payments/stripe',
  summary: 'Receive a Stripe event',
  description: 'Receives a signed Stripe event and updates the payment that it belongs to. Each event takes effect once.',
  access: 'anyone',
  status: 200,
  reply: EventTaken,
  errors: [400, 403, 404],
  composed: true,
});
