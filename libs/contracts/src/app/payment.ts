import { z } from 'zod';
import { instant, whole } from '../shapes';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** Stripe's maximum for most currencies: 999,999.99. */
const amount = () => whole(1, 99_999_999);

const currency = () =>
  z
    .string('must be an ISO 4217 code, such as eur')
    .transform((code) => code.toLowerCase())
    .pipe(z.string().refine((code) => currencies.has(code), 'must be an ISO 4217 code, such as eur'))
    .meta({ description: 'An ISO 4217 code in any case; stored in lower case.', minLength: 3, maxLength: 3 });

/** The payment that a form collects with each submission. `amount` is in the smallest unit of the currency: 2500 in eur is 25 euros. */
export const Payment = z.object({ amount: amount(), currency: currency() });

export type Payment = z.output<typeof Payment>;

export const paymentStates = ['requires_checkout', 'open', 'processing', 'paid', 'failed', 'expired'] as const;

/** The payment of one submission. `reference` is the provider's id for it. */
export const SubmissionPayment = z.object({
  submission_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  state: z.string(),
  provider: z.string(),
  reference: z.string().optional(),
  created_at: instant(),
  paid_at: instant().optional(),
});

/** A provider event, as documented. The service receives the body byte for byte, because the signature covers the exact bytes. */
export const StripeEventRequest = z.object({ id: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) });

export const StripeSignature = z.string();

/** Confirms that an event was received. */
export const EventTaken = z.object({ received: z.boolean() });
