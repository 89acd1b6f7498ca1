import { list, whole } from '@sheaf/runtime';
import { urlIn } from '@sheaf/kernel';
import { z } from 'zod';

export const webAddress = () =>
  z.string().refine((text) => /^https?:\/\//.test(text) && urlIn(text) !== undefined, 'must be a web address');

/** Without `STRIPE_SECRET_KEY` no payments are collected, and the other settings are not needed. */
export const paymentSettings = {
  STRIPE_SECRET_KEY: z.string().optional(),
  /** The signing secret of the Stripe endpoint; two during a rotation. */
  STRIPE_WEBHOOK_SECRET: list()
    .pipe(z.array(z.string()).min(1, 'must contain a secret').max(2, 'must contain at most two secrets'))
    .optional(),
  /** For tests, and for deployments that reach Stripe through their own proxy. */
  STRIPE_API_BASE: webAddress().default('https://api.stripe.com'),
  /** Timeout of one attempt to create a checkout, which is retried once. Both together must fit into the deadline of a request. */
  STRIPE_TIMEOUT_MS: whole(100, 20_000).default(2_000),
  /** The address to which respondents go after paying; `{form_id}` and `{submission_id}` are filled in. */
  PAYMENT_SUCCESS_URL: webAddress().optional(),
  /** The address to which respondents go after cancelling; without it the checkout has no back link. */
  PAYMENT_CANCEL_URL: webAddress().optional(),
};

type Settings = z.output<z.ZodObject<typeof paymentSettings>>;

/** The settings of a deployment that collects payments. */
export type PaymentSettings = Settings & { STRIPE_SECRET_KEY: string; STRIPE_WEBHOOK_SECRET: string[]; PAYMENT_SUCCESS_URL: string };

export const collectsPayments = (settings: Settings): settings is PaymentSettings => settings.STRIPE_SECRET_KEY !== undefined;

/** With a partial configuration, respondents could pay without this service ever learning of it. */
export function requireCompleteSetup(settings: Settings, context: z.core.$RefinementCtx): void {
  if (settings.STRIPE_SECRET_KEY === undefined) return;
  for (const name of ['STRIPE_WEBHOOK_SECRET', 'PAYMENT_SUCCESS_URL'] as const) {
    if (settings[name] === undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'is required together with STRIPE_SECRET_KEY' });
  }
}
