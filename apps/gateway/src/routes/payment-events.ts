import { EventTaken, StripeEventRequest, StripeSignature } from '@sheaf/contracts';
import { route, type Route } from '../route';
import type { Services } from './services';

/** For the payment provider, which signs what it sends: the signature is checked where the secret is, in `submissions`. */
export const paymentEvents = ({ submissions }: Services): Route[] => [
  route({
    method: 'post', path: '/public/v1/payments/stripe', summary: 'Receive a Stripe event',
    access: 'anyone', signedBody: StripeEventRequest, headers: { 'Stripe-Signature': StripeSignature },
    status: 200, reply: EventTaken, errors: [400, 403, 404],
    handle: async ({ ownCall, bytes, request }) => {
      const signature = request.headers['stripe-signature'];
      // In nobody's name: which instance it is about follows from the submission, and not from the host that it was sent to.
      await submissions.takePaymentEvent(ownCall(), { body: bytes, signature: typeof signature === 'string' ? signature : '' });
      return { received: true };
    },
  }),
];
