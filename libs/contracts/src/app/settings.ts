import { z } from 'zod';
import { bool, email, text, trimmed, whole } from '../shapes';
import { FormDetail } from '../operations/forms';
import { languageTag, maxLanguages } from './draft';
import { foundForm } from './forms-list';

/**
 * A web address that a page may link or redirect to. Characters that display nothing are refused, because they could hide where it leads,
 * or end a header.
 */
const webAddress = () =>
  text(1, 2_048)
    .refine((value) => /^https?:\/\/[^/\\]/i.test(value) && URL.canParse(value), {
      error: 'must be a web address that starts with http:// or https://',
      abort: true,
    })
    .refine((value) => !/[\s\p{C}]/u.test(value), 'must not contain white space or invisible characters')
    .refine((value) => {
      const { username, password } = new URL(value);
      return username === '' && password === '';
    }, 'must not contain a user name or password')
    .meta({ format: 'uri' });

/** A scheme, host and port, such as `https://example.com`, without a path. URLs allow more characters in a host, which a policy would obey. */
const origin = () =>
  text(1, 300).refine(
    (value) =>
      /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d+)?$/.test(value) && URL.canParse(value) && new URL(value).origin === value,
    'must be an origin such as https://example.com, in lower case, without a path or wildcard',
  );

const colour = () => z.string('must be a string').regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #1d4ed8, in lower case');

export const maxLogoBytes = 65_536;

/** A small picture, as a data URL. */
const logo = () =>
  z
    .string('must be a string')
    .regex(/^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, 'must be a data URL of a PNG, JPEG or WebP picture')
    .max(Math.ceil(maxLogoBytes / 3) * 4 + 30, `must be a picture of at most ${maxLogoBytes} bytes`);

export const FormTranslation = z.object({
  title: trimmed(1, 200).optional(),
  description: text(0, 5_000).optional(),
  thank_you: text(0, 5_000).optional(),
  closed_message: text(0, 500).optional(),
});

export const ThankYou = z
  .object({ text: text(1, 5_000).optional(), redirect_url: webAddress().optional() })
  .refine((after) => Object.keys(after).length > 0, 'must have text or redirect_url');

export const FormTheme = z.object({ accent: colour().optional(), background: colour().optional(), logo: logo().optional() });

export const HelpContact = z
  .object({ email: email().optional(), phone: trimmed(1, 40).optional(), url: webAddress().optional() })
  .refine((contact) => Object.keys(contact).length > 0, 'must have email, phone or url');

export const ResumeSettings = z.object({ days: whole(1, 90) });

const settings = {
  /** Shown above the first question. */
  description: text(0, 5_000).optional(),
  /** What respondents see after sending: a text on the receipt, or another site. */
  thank_you: ThankYou.optional(),
  /** The languages that the form offers, the author's own among them. */
  languages: z
    .array(languageTag(), 'must be an array')
    .min(1, 'must have at least one language')
    .max(maxLanguages, `must have at most ${maxLanguages} languages`)
    .refine((tags) => new Set(tags).size === tags.length, 'must not contain a language twice')
    .optional(),
  /** The language in which the author wrote the form; if absent, the first of `languages`. */
  default_language: languageTag().optional(),
  translations: z
    .record(languageTag(), FormTranslation, 'must be an object with language tags as keys')
    .refine((languages) => Object.keys(languages).length <= maxLanguages, `must have at most ${maxLanguages} languages`)
    .optional(),
  /** The sites that may embed the form and send to it by script. If absent, every site may; if empty, none. */
  embed_origins: z.array(origin(), 'must be an array').max(50, 'must have at most 50 origins').optional(),
  theme: FormTheme.optional(),
  /** Whether respondents check their answers before sending also if the form has a single page. */
  review_before_sending: bool().optional(),
  /** Lets respondents save their answers and come back later. `days`: how long unsent answers are kept. */
  resume: ResumeSettings.optional(),
  /** Where respondents find help; shown at the same place of each page. */
  help_contact: HelpContact.optional(),
  /** Whether the receipt shows the answers to the person who sent them, for one hour. */
  show_answers: bool().optional(),
  /** Whether the browser of a respondent has to do some work for each submission, which makes spam expensive. */
  proof_of_work: bool().optional(),
};

/** The settings of a form that v1 does not know. They take effect at once, without publishing. */
export const FormSettings = z.object(settings);

export type FormSettings = z.output<typeof FormSettings>;

export const retentionKinds = ['trash_days', 'submissions_days', 'files_days'] as const;

export type RetentionKind = (typeof retentionKinds)[number];

export const maxRetentionDays = 36_500;

const days = () => whole(1, maxRetentionDays).optional();

/** Days after which things are erased: what has been in the trash for that long, submissions and their files by their age. */
export const Retention = z
  .object({ trash_days: days(), submissions_days: days(), files_days: days() })
  .refine((given) => Object.keys(given).length > 0, 'must have trash_days, submissions_days or files_days');

/** The same as an option of a command: undefined if it was not given, null for `never`. */
export const daysOption = () =>
  z
    .string()
    .regex(/^(?:[1-9]\d{0,3}|[12]\d{4}|3[0-5]\d{3}|36[0-4]\d\d|36500|never)$/, 'must be from 1 to 36500 days, or never')
    .transform((given) => (given === 'never' ? null : Number(given)))
    .optional();

const keeping = {
  retention: Retention.optional(),
  /** Nothing of the form is erased, by nobody. */
  legal_hold: bool().optional(),
  /** Whether answers can be searched; absent if they can. */
  searchable: bool().optional(),
};

export type Keeping = z.output<z.ZodObject<typeof keeping>>;

const clearable = <S extends Record<string, z.ZodType>>(shape: S) =>
  Object.fromEntries(Object.entries(shape).map(([name, setting]) => [name, setting.nullable()])) as {
    [Name in keyof S]: z.ZodNullable<S[Name]>;
  };

/** Absent settings stay as they are; null clears one. */
export const FormSettingsRequest = z.object(clearable({ ...settings, ...keeping }));

export type FormSettingsPatch = z.output<typeof FormSettingsRequest>;

/** A form with the settings that v1 does not know. */
export const FormSettingsDetail = FormDetail.extend({ ...settings, ...keeping, ...foundForm });

/** Why a form takes no submissions. */
export const closedReasons = ['not_yet_open', 'closed', 'full', 'disabled', 'payments_not_set_up'] as const;

export type ClosedReason = (typeof closedReasons)[number];
