import { z } from 'zod';
import { FormItem } from '../app/draft';
import { Payment } from '../app/payment';
import { closedReasons, FormSettings, FormTheme } from '../app/settings';
import { instant } from '../shapes';

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
