import { z } from 'zod';
import { FormItem } from '../app/draft';
import { Payment } from '../app/payment';
import { closedReasons, FormSettings, FormTheme } from '../app/settings';
import { described, leftOut } from '../described';
import { instant } from '../shapes';
import { formTexts } from './form-texts';
import { operation } from './operation';
import { formOrSlug } from './params';

/** A respondent's page gets the logo by its hash. */
export const PublicTheme = described(
  FormTheme.extend({ logo: described(z.string().optional(), 'The SHA-256 hash of the logo.', leftOut) }),
  'The look of the hosted form.',
);

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
}).extend({ theme: described(PublicTheme.optional(), 'The colors and the logo of the hosted form.') }).shape;

export const publicSettingNames = Object.keys(publicSettings) as (keyof typeof publicSettings)[];

export const PublicForm = described(
  z.object({
    id: described(z.string(), 'The id.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    title: described(z.string(), ...formTexts.title),
    version: described(z.int(), 'The version that the fields belong to.', 2),
    fields: described(z.array(FormItem), 'The fields, in order.'),
    payment: described(Payment.optional(), 'The price of each submission; absent if the form collects no payment.'),
    open: described(z.boolean(), 'Whether the form currently accepts submissions.', true),
    opens_at: described(instant().optional(), ...formTexts.opens_at),
    closes_at: described(instant().optional(), ...formTexts.closes_at),
    closed_message: described(z.string().optional(), ...formTexts.closed_message),
    closed_because: described(z.enum(closedReasons).optional(), 'Why the form takes no submissions; absent while it is open.', leftOut),
    timezone: described(z.string().optional(), 'The IANA time zone in which pages show opening and closing times.', 'Europe/Vienna'),
    ...publicSettings,
    proof_bits: described(
      z.int().optional(),
      'The number of leading zero bits that the proof of work needs. Absent if the form wants none; otherwise, a submission without a proof is set aside as spam.',
      leftOut,
    ),
    full_options: described(
      z
        .array(
          z.object({
            key: described(z.string(), 'The key of the field.'),
            values: described(z.array(z.string()), 'The values of its full options.'),
          }),
        )
        .optional(),
      'The options without a place left, which an answer must not contain; absent if there are none.',
      leftOut,
    ),
    started: described(
      z.string(),
      'A signed token that records when the form was opened. A page sends it back with the answers.',
      'eyJhbGciOiJIUzI1NiJ9.…',
    ),
  }),
  'A published form as respondents see it.',
);

/** The JSON of the message passes through, and pages get the settings that they need. */
export const getPublicForm = operation({
  method: 'get',
  path: '/public/v1/forms/:form',
  params: { form: formOrSlug },
  summary: 'Get a published form',
  description: 'Returns a published form with the fields to fill in, and whether it is open.',
  access: 'anyone',
  status: 200,
  reply: PublicForm,
  errors: [403, 404, 429],
});
