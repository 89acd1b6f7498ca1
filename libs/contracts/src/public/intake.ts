import { z } from 'zod';
import { FormItem, languageTag } from '../app/draft';
import { Payment } from '../app/payment';
import { closedReasons, FormSettings, FormTheme } from '../app/settings';
import { described } from '../described';
import { instant, text } from '../shapes';

/** A respondent's page gets the logo by its hash. */
export const PublicTheme = FormTheme.extend({ logo: z.string().optional() });

/** The settings that respondents' pages need. */
const publicSettings = FormSettings.pick({
  description: true,
  languages: true,
  default_language: true,
  translations: true,
  thank_you: true,
  review_before_sending: true,
  resume: true,
  help_contact: true,
  show_answers: true,
}).extend({ theme: PublicTheme.optional() }).shape;

export const publicSettingNames = Object.keys(publicSettings) as (keyof typeof publicSettings)[];

export const PublicForm = z.object({
  id: z.string(),
  title: z.string(),
  version: z.int(),
  fields: z.array(FormItem),
  payment: Payment.optional(),
  open: z.boolean(),
  opens_at: instant().optional(),
  closes_at: instant().optional(),
  closed_message: z.string().optional(),
  closed_because: z.enum(closedReasons).optional(),
  timezone: z.string().optional(),
  ...publicSettings,
  proof_bits: z.int().optional(),
  started: z.string(),
});

/** `submissions` checks the answers against the form, because it knows the form's version. */
export const SubmitRequest = z.object({
  data: z.record(z.string(), z.unknown(), 'must be an object'),
  hp: text(0, 1_000).optional(),
  started: text(0, 1_000).optional(),
  proof: text(0, 100).optional(),
  language: languageTag().optional(),
  confirmed: z.boolean().optional(),
});

/** The `Idempotency-Key` header. The same answers under the same key are accepted once. */
export const IdempotencyKey = described(
  z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters'),
  'A key that you choose for this submission. Repeating the request with the same key and the same answers returns the first response.',
);

/** The code of the fault that a key has if it was used before, with other answers. */
export const keyReused = 'key_reused';

/** The code of the fault that a start token has if the form was opened so shortly before that a person is asked to confirm the answers. */
export const sentTooFast = 'too_fast';

/** `payment_url` is the page where the respondent pays; it is present only while they can. */
export const SubmissionReceipt = z.object({
  id: z.string(),
  form_id: z.string(),
  status: z.string(),
  created_at: instant(),
  payment_url: z.string().optional(),
});
