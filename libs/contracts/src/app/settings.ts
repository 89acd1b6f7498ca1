import { z } from 'zod';
import { bool, email, text, trimmed, whole } from '../shapes';
import { described, leftOut } from '../described';
import { languageTag, maxLanguages } from './draft';
import { pictureDataUrl } from './option-image';
import { urlIn } from '@sheaf/kernel';
import { webAddress } from './web-address';

/** A scheme, host and port, such as `https://example.com`, without a path. URLs allow more characters in a host, which a policy would obey. */
const origin = () =>
  text(1, 300).refine(
    (value) => /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d+)?$/.test(value) && urlIn(value)?.origin === value,
    'must be an origin such as https://example.com, in lower case, without a path or wildcard',
  );

const colour = () => z.string('must be a string').regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #1d4ed8, in lower case');

export const maxLogoBytes = 65_536;

export const FormTranslation = described(
  z.object({
    title: described(trimmed(1, 200).optional(), 'The translated title.'),
    description: described(text(0, 5_000).optional(), 'The translated description.'),
    thank_you: described(text(0, 5_000).optional(), 'The translated text of the thank-you.'),
    closed_message: described(text(0, 500).optional(), 'The translated text that respondents see while the form is closed.'),
  }),
  "The translations of a form's own texts into one language.",
);

export const ThankYou = described(
  z
    .object({
      text: described(
        text(1, 5_000).optional(),
        'A text on the receipt, with Markdown: emphasis, links and lists. `{{key}}` shows the answer to a field of the draft or of the latest version.',
        'Thank you for your visit.',
      ),
      redirect_url: described(
        webAddress().optional(),
        'The page that respondents get to. It starts with http:// or https:// and contains no user name or password.',
        'https://example.org/thanks',
      ),
    })
    .refine((after) => Object.keys(after).length > 0, 'must have text or redirect_url'),
  'The end of the form, once it is sent: a text, a redirect, or both.',
);

export const FormTheme = described(
  z.object({
    accent: described(
      colour().optional(),
      'The color of links and buttons. It needs a contrast of 4.5:1 with white and with the background.',
      '#7f1d1d',
    ),
    background: described(colour().optional(), 'The color of the page. It needs a contrast of 4.5:1 with the text (#1a1d21).', '#fffbeb'),
    logo: described(pictureDataUrl(maxLogoBytes).optional(), 'A picture of at most 65,536 bytes above the title, as a data URL.', leftOut),
  }),
  'The look of the hosted form. Text must have a contrast of at least 4.5:1 with its background.',
);

export const HelpContact = described(
  z
    .object({
      email: described(email().optional(), 'The e-mail address.', 'ada@example.org'),
      phone: described(trimmed(1, 40).optional(), 'A telephone number.', '+43 1 234 567'),
      url: described(webAddress().optional(), 'The address of a web page.', 'https://example.org/help'),
    })
    .refine((contact) => Object.keys(contact).length > 0, 'must have email, phone or url'),
  'The contact from whom respondents get help: an e-mail address, a telephone number or a web page.',
);

export const ResumeSettings = described(
  z.object({ days: described(whole(1, 90), 'The number of days for which unsent answers are kept.', 30) }),
  'How respondents may save their answers and come back later.',
);

/** The settings of a form that v1 does not know. They take effect at once, without publishing. */
export const FormSettings = described(
  z.object({
    description: described(
      text(0, 5_000).optional(),
      'The text above the first question, with Markdown: emphasis, links and lists.',
      'It takes about five minutes.',
    ),
    thank_you: described(ThankYou.optional(), 'The end of the form, once it is sent.'),
    languages: described(
      z
        .array(languageTag(), 'must be an array')
        .min(1, 'must have at least one language')
        .max(maxLanguages, `must have at most ${maxLanguages} languages`)
        .refine((tags) => new Set(tags).size === tags.length, 'must not contain a language twice')
        .optional(),
      'The tags of the languages that the form offers, including the one in which it was written.',
      ['en', 'de'],
    ),
    default_language: described(
      languageTag().optional(),
      'The language in which the form was written, one of `languages`; their first if absent.',
      'en',
    ),
    translations: described(
      z
        .record(languageTag(), FormTranslation, 'must be an object with language tags as keys')
        .refine((languages) => Object.keys(languages).length <= maxLanguages, `must have at most ${maxLanguages} languages`)
        .optional(),
      'Translations by language tag. Texts without a translation are shown in the language of the form.',
      leftOut,
    ),
    embed_origins: described(
      z.array(origin(), 'must be an array').max(50, 'must have at most 50 origins').optional(),
      'The origins of the sites that may embed the form and submit to it by script. If absent, every site may; if empty, none.',
      ['https://example.org'],
    ),
    theme: described(FormTheme.optional(), 'The look of the hosted form.'),
    review_before_sending: described(
      bool().optional(),
      'Whether respondents check their answers before they send them, even if the form has a single page.',
      true,
    ),
    resume: described(
      ResumeSettings.optional(),
      'Whether and how respondents may save their answers and come back later; absent if they may not.',
    ),
    help_contact: described(HelpContact.optional(), 'The contact from whom respondents get help. Each page shows it in the same place.'),
    show_answers: described(bool().optional(), 'Whether the receipt shows the answers for one hour.', true),
    proof_of_work: described(
      bool().optional(),
      'Whether a browser has to solve a small puzzle for each submission, which makes spam expensive.',
      false,
    ),
  }),
  'The settings of a form that v1 does not have.',
);

export type FormSettings = z.output<typeof FormSettings>;

export const retentionKinds = ['trash_days', 'submissions_days', 'files_days'] as const;

export type RetentionKind = (typeof retentionKinds)[number];

export const maxRetentionDays = 36_500;

const days = () => whole(1, maxRetentionDays).optional();

const retentionDays = {
  trash_days: described(days(), 'The days after which a submission in the trash is erased.', 30),
  submissions_days: described(days(), 'The days after which a submission is erased, counted from its arrival, wherever it is.', 730),
  files_days: described(
    days(),
    'The days after which the files of a submission are erased, counted from its arrival. Its other answers stay.',
    365,
  ),
};

/** Days after which things are erased: what has been in the trash for that long, submissions and their files by their age. */
export const RetentionDays = described(
  z.object(retentionDays),
  'The days after which things are erased. Without days, things are kept for ever.',
);

export const Retention = described(
  z.object(retentionDays).refine((given) => Object.keys(given).length > 0, 'must have trash_days, submissions_days or files_days'),
  'The time for which a form keeps submissions.',
);

/** The same as an option of a command: undefined if it was not given, null for `never`. */
export const daysOption = () =>
  z
    .string()
    .regex(/^(?:[1-9]\d{0,3}|[12]\d{4}|3[0-5]\d{3}|36[0-4]\d\d|36500|never)$/, 'must be from 1 to 36500 days, or never')
    .transform((given) => (given === 'never' ? null : Number(given)))
    .optional();

export const keeping = {
  retention: described(Retention.optional(), 'The days after which things are erased. For what is absent, those of the instance apply.'),
  legal_hold: described(bool().optional(), 'Whether nothing of the form may be erased, neither by hand nor after its time.', false),
  searchable: described(bool().optional(), 'False if the answers of the form cannot be searched; absent if they can.', true),
};

export type Keeping = z.output<z.ZodObject<typeof keeping>>;

/** Why a form takes no submissions. */
export const closedReasons = ['not_yet_open', 'closed', 'full', 'disabled', 'payments_not_set_up'] as const;

export type ClosedReason = (typeof closedReasons)[number];
