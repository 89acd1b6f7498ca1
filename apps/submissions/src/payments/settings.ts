import { list, whole } from '@sheaf/runtime';
import { z } from 'zod';

const webAddress = () => z.string().refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be a web address');

/** Without `STRIPE_SECRET_KEY` no payments are collected, and the others are not needed. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: z.string().optional(),
  /** The signing secret of the endpoint at Stripe; two while one replaces the other. */
  STRIPE_WEBHOOK_SECRET: list().pipe(z.array(z.string()).min(1, 'must have a secret').max(2, 'must have at most two secrets')).optional(),
  /** For tests, and where the way to Stripe leads through a proxy of one's own. */
  STRIPE_API_BASE: webAddress().default('https://api.stripe.com'),
  /** How long one attempt to make a checkout may take; there is a second one. Together they have to fit into the deadline of a request. */
  STRIPE_TIMEOUT_MS: whole(100, 20_000).default(2_000),
  /** Where respondents go once they have paid; `{form_id}` and `{submission_id}` are filled in. */
  PAYMENT_SUCCESS_URL: webAddress().optional(),
  /** Where they go who turn back; without it the checkout has no way back. */
  PAYMENT_CANCEL_URL: webAddress().optional(),
};

type Given = z.output<z.ZodObject<typeof paymentSettings>>;

/** The settings of a deployment that collects payments. */
export type PaymentSettings = Given & { STRIPE_SECRET_KEY: string; STRIPE_WEBHOOK_SECRET: string[]; PAYMENT_SUCCESS_URL: string };

export const collectsPayments = (settings: Given): settings is PaymentSettings => settings.STRIPE_SECRET_KEY !== undefined;

/** Half a set-up would take money and never hear of it. */
export function refuseHalfASetup(settings: Given, context: z.core.$RefinementCtx): void {
  if (settings.STRIPE_SECRET_KEY === undefined) return;
  for (const name of ['STRIPE_WEBHOOK_SECRET', 'PAYMENT_SUCCESS_URL'] as const) {
    if (settings[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is required beside STRIPE_SECRET_KEY' });
  }
}
