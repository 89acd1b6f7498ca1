import { z } from 'zod';
import { described, leftOut } from '../described';
import { whole } from '../shapes';
import { fieldKey } from './condition-shape';
import { maxAmount } from './prices';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

const amount = () => whole(1, maxAmount);

export const currencyCode = () =>
  z
    .string('must be an ISO 4217 code, such as eur')
    .transform((code) => code.toLowerCase())
    .pipe(z.string().refine((code) => currencies.has(code), 'must be an ISO 4217 code, such as eur'))
    .meta({ description: 'An ISO 4217 code in any case; stored in lower case.', minLength: 3, maxLength: 3 });

/**
 * The price of a submission: an amount, or the answer to a calculated field. `amount` is in the smallest unit of the currency: 2500 in eur is 25
 * euros. An earlier release knows no price without an amount: it refuses the draft, and reads an amount of 0, which its database refuses to store.
 */
export const Payment = described(
  z
    .object({
      amount: described(
        amount().optional(),
        'The amount in the smallest unit of the currency: 2500 in eur is 25 euros. Either this or `amount_from` is given.',
        2500,
      ),
      amount_from: described(
        fieldKey().optional(),
        'The key of a calculated number: respondents pay its answer, as it is when the submission is accepted, rounded half away from zero to the smallest amount that can be charged. They pay nothing if it is 0 or empty.',
        leftOut,
      ),
      currency: described(currencyCode(), 'The currency.', 'eur'),
    })
    .refine((price) => price.amount !== undefined || price.amount_from !== undefined, {
      path: ['amount'],
      error: 'is required, or amount_from instead',
    })
    .refine((price) => price.amount === undefined || price.amount_from === undefined, {
      path: ['amount_from'],
      error: 'is allowed only without amount',
    }),
  'The price of a submission.',
);

export type Payment = z.output<typeof Payment>;
