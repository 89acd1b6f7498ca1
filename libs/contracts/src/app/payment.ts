import { z } from 'zod';
import { described } from '../described';
import { whole } from '../shapes';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** Stripe's maximum for most currencies: 999,999.99. */
const amount = () => whole(1, 99_999_999);

export const currencyCode = () =>
  z
    .string('must be an ISO 4217 code, such as eur')
    .transform((code) => code.toLowerCase())
    .pipe(z.string().refine((code) => currencies.has(code), 'must be an ISO 4217 code, such as eur'))
    .meta({ description: 'An ISO 4217 code in any case; stored in lower case.', minLength: 3, maxLength: 3 });

/** The payment that a form collects with each submission. `amount` is in the smallest unit of the currency: 2500 in eur is 25 euros. */
export const Payment = described(
  z.object({
    amount: described(amount(), 'The amount in the smallest unit of the currency: 2500 in eur is 25 euros.', 2500),
    currency: described(currencyCode(), 'The currency.', 'eur'),
  }),
  'The price of a submission.',
);

export type Payment = z.output<typeof Payment>;
