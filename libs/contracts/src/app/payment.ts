import { z } from 'zod';
import { instant, whole } from '../shapes';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** The bound of Stripe for most currencies: 999,999.99. */
const amount = () => whole(1, 99_999_999);

const currency = () =>
  z
    .string('must be an ISO 4217 code, such as eur')
    .transform((code) => code.toLowerCase())
    .pipe(z.string().refine((code) => currencies.has(code), 'must be an ISO 4217 code, such as eur'))
    .meta({ description: 'An ISO 4217 code in any case, kept in lower case.', minLength: 3, maxLength: 3 });

/** What a form collects with each submission. `amount` is in the smallest unit of the currency: 2500 in eur are 25 euros. */
export const Payment = z.object({ amount: amount(), currency: currency() });

export type Payment = z.output<typeof Payment>;

export const paymentStates = ['requires_checkout', 'open', 'processing', 'paid', 'failed', 'expired'] as const;

/** The payment of one submission. `reference` is what the provider knows it by. */
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

/** An event of the provider, as far as anybody outside has to know it: it is taken to the byte, as its signature covers those. */
export const StripeEventRequest = z.object({ id: z.string(), type: z.string(), data: z.record(z.string(), z.unknown()) });

export const StripeSignature = z.string();

/** That an event was taken. */
export const EventTaken = z.object({ received: z.boolean() });
