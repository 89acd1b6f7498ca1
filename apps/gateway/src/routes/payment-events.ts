import { receiveStripeEvent, StripeEventRequest, StripeSignature } from '@sheaf/contracts';
import { route, type Route } from '../route';
import { rowOf } from './derived';
import type { Services } from './services';

/** Events of the payment provider. `submissions` holds the secret, so it verifies their signatures. */
export const paymentEvents = ({ submissions }: Services): Route[] => [
  route({
    ...rowOf(receiveStripeEvent),
    signedBody: StripeEventRequest,
    headers: { 'Stripe-Signature': StripeSignature },
    handle: async ({ gatewayCall, bytes, request }) => {
      const signature = request.headers['stripe-signature'];
      // The gateway's own call, because the instance follows from the submission, not from the request's host.
      await submissions.takePaymentEvent(gatewayCall(), { body: bytes, signature: typeof signature === 'string' ? signature : '' });
      return { received: true };
    },
  }),
];
