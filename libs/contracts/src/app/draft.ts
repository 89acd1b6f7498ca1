import { z } from 'zod';
import { described, leftOut } from '../described';
import { localDate, oneOf, text, trimmed, bool, whole } from '../shapes';
import { patternSteps } from '../pattern-size';
import { addressParts } from '../fields/answer-kinds';
import {
  appearances,
  fieldTypes,
  formats,
  maxFieldsOfRepeat,
  maxOptions,
  maxFilesPerField,
  maxItemsOfRepeat,
  maxListedForRanks,
  maxMatrixCells,
  maxMatrixColumns,
  maxMatrixRows,
} from '../fields/field-kinds';
import { countryCodes, maxPreferred } from '../fields/countries';
import { maxPlaces } from '../fields/places';
import { Condition, fieldKey, plainValue } from './condition-shape';
import { currencyCode } from './payment';
import { OptionImage } from './option-image';
import { asSent, asSentItem } from './stored-option';
import { webAddress } from './web-address';

const key = () => described(fieldKey(), 'The key of the field in `data`.', 'name');

const fieldLabel =
  'The label that people see; that of a consent may have emphasis and links, as Markdown. `{{key}}` shows the answer to an earlier field.';
const optionLabel = 'The label that people see.';
const optionValue = "The option's value in an answer.";

/** A plain string is shorthand for an option with the same value and label. */
const option = () =>
  z.transform(asSent).pipe(
    z.union(
      [
        // Piped into a shape, because the documentation cannot describe the result of a transformation.
        trimmed(1, 200)
          .transform((value) => ({ value, label: value }))
          .pipe(
            z.object({
              value: described(z.string(), optionValue),
              label: described(z.string(), optionLabel),
              visible_if: optionIf(),
              limit: places(),
              image: optionImage(),
            }),
          ),
        z.object({
          value: described(trimmed(1, 200), optionValue),
          label: described(trimmed(1, 200), optionLabel),
          visible_if: optionIf(),
          limit: places(),
          image: optionImage(),
        }),
      ],
      'must be a string, or an object with value and label',
    ),
  );

const rowLabel = 'The label that people see.';
const valueOf = (of: 'row' | 'column') => `The value of the ${of} in an answer.`;

/** The rows or columns of a matrix. A plain string is shorthand for one with the same value and label. */
const choicesOf = (of: 'row' | 'column', most: number) =>
  z
    .array(
      z.union(
        [
          trimmed(1, 200)
            .transform((value) => ({ value, label: value }))
            .pipe(z.object({ value: described(z.string(), valueOf(of)), label: described(z.string(), rowLabel) })),
          z.object({
            value: described(trimmed(1, 200), valueOf(of)),
            label: described(trimmed(1, 200), rowLabel),
          }),
        ],
        'must be a string, or an object with value and label',
      ),
      'must be an array',
    )
    .min(1, `must have at least one ${of}`)
    .max(most, `must have at most ${most} ${of}s`)
    .optional();

const optionIf = () =>
  described(
    Condition.optional(),
    'The condition for offering the option and accepting it in an answer. It depends on the answers to earlier fields.',
    leftOut,
  );

/** The most fields of a form whose answers may be unique. */
export const maxUniqueFields = 20;

const places = () =>
  described(
    whole(0, maxPlaces).optional(),
    'How many submissions may have the option, exactly; without it, any number. Those in the trash, in spam and without their payment hold no place.',
    leftOut,
  );

const optionImage = () =>
  described(
    OptionImage.optional(),
    'For `select` and `multi_select`: the picture above the label. Pages show none in a dropdown.',
    leftOut,
  );

/** A single type (`image/png`) or a whole kind (`image/*`). */
const mediaType = () =>
  z
    .string('must be a string')
    .max(127, 'must have at most 127 characters')
    .regex(
      /^[a-z0-9][a-z0-9!#$&^_.+-]*\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/,
      'must be a media type in lower case, such as image/png or image/*',
    );

const isCountry: ReadonlySet<string> = new Set(countryCodes);

/** Countries, each once. */
const countries = (most: number) =>
  z
    .array(
      z
        .string('must be a string')
        .refine((code) => isCountry.has(code), 'must be the code of a country in upper case, such as DE (ISO 3166-1 alpha-2)'),
      'must be an array',
    )
    .min(1, 'must have at least one country')
    .max(most, `must have at most ${most} countries`)
    .refine((codes) => new Set(codes).size === codes.length, 'must not have a country twice')
    .optional();

/** A hundred years. */
const maxDays = 36_525;

const bound = () => z.number('must be a number');

/** The purposes that tell browsers how to autofill a field (HTML; WCAG 2.2, 1.3.5). */
export const autocompleteTokens = [
  'name',
  'honorific-prefix',
  'given-name',
  'additional-name',
  'family-name',
  'honorific-suffix',
  'nickname',
  'organization-title',
  'organization',
  'street-address',
  'address-line1',
  'address-line2',
  'address-line3',
  'address-level1',
  'address-level2',
  'postal-code',
  'country',
  'country-name',
  'language',
  'bday',
  'sex',
  'url',
  'tel',
  'email',
] as const;

const visibleIf = () =>
  described(
    Condition.optional(),
    'The condition for showing the field and accepting an answer to it. It depends on the answers to earlier fields.',
    leftOut,
  );

/** A language tag (RFC 5646) with a region or script at most, such as `de` or `pt-BR`. */
export const languageTag = () =>
  z
    .string('must be a language tag such as de or pt-BR')
    .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/, 'must be a language tag such as de or pt-BR');

export const maxLanguages = 30;

const translations = <T extends z.ZodType>(translation: T) =>
  described(
    z
      .record(languageTag(), translation, 'must be an object with language tags as keys')
      .refine((languages) => Object.keys(languages).length <= maxLanguages, `must have at most ${maxLanguages} languages`)
      .optional(),
    'Translations by language tag. Texts without a translation are shown in the language of the form.',
    leftOut,
  );

const label = (of: string) => described(trimmed(1, 500), of, 'Your name');
const help = () =>
  described(
    text(0, 2_000).optional(),
    'A help text for respondents, with Markdown: emphasis, links and lists. `{{key}}` shows the answer to an earlier field.',
    leftOut,
  );
const placeholder = () => described(text(0, 200).optional(), 'The text shown while the input is empty.', leftOut);
const ownMessage = (when: string) => described(trimmed(1, 300).optional(), `The message ${when}.`, leftOut);

const messages = () =>
  described(
    z
      .object({
        required: ownMessage('when the answer is missing, or a consent is not given'),
        pattern: ownMessage('when the answer does not match `pattern`'),
        min: ownMessage('when the answer is too small, short or early, or has too few options'),
        max: ownMessage('when the answer is too large, long or late, or has too many options'),
        unique: ownMessage('when another submission has the answer already'),
      })
      .refine((given) => Object.keys(given).length > 0, 'must have required, pattern, min, max or unique')
      .optional(),
    'Messages of your own about wrong answers, in place of ours. They take the place of `message` in errors too; `code` and `params` stay.',
    leftOut,
  );
const elementLabel =
  'The heading, or the text of a statement, which may have Markdown: emphasis, links and lists. `{{key}}` shows the answer to an earlier field.';

const endLabel = (end: string) => described(trimmed(1, 100).optional(), `For a rating: what its ${end} step means.`, leftOut);

const translatedLabel = (of: string) => described(label(of).optional(), of);

const translatedValues = (of: string) =>
  z.record(z.string(), trimmed(1, 200), `must be an object with the values of ${of} as keys`).optional();

const FieldTranslation = z.object({
  label: translatedLabel(fieldLabel),
  help: help(),
  placeholder: placeholder(),
  options: described(
    z.record(z.string(), trimmed(1, 200), 'must be an object with the values of options as keys').optional(),
    'The labels of options, by the value of the option.',
  ),
  rows: described(translatedValues('rows'), 'The labels of rows, by the value of the row.'),
  columns: described(translatedValues('columns'), 'The labels of columns, by the value of the column.'),
  low_label: endLabel('lowest'),
  high_label: endLabel('highest'),
  messages: messages(),
});

const fieldParts = {
  key: key(),
  label: label(fieldLabel),
  type: described(oneOf(fieldTypes), 'The type of the field.'),
  required: described(bool().default(false), 'Whether the field must be answered; with `required_if`, only if that condition holds.'),
  help: help(),
  placeholder: placeholder(),
  options: described(
    z
      .array(option(), 'must be an array')
      .min(1, 'must have at least one option')
      .max(maxOptions, `must have at most ${maxOptions} options`)
      .optional(),
    'The options, in order. A string is both the value and the label.',
    leftOut,
  ),
  rows: described(
    choicesOf('row', maxMatrixRows),
    `For \`matrix\`: its rows, in order, of which each is answered with a column. A string is both the value and the label. Rows times columns are at most ${maxMatrixCells}.`,
    leftOut,
  ),
  columns: described(
    choicesOf('column', maxMatrixColumns),
    'For `matrix`: the columns to choose from in each row, in order. A string is both the value and the label.',
    leftOut,
  ),
  min: described(bound().optional(), 'The smallest number allowed.', leftOut),
  max: described(bound().optional(), 'The largest number allowed.', leftOut),
  min_length: described(whole(0, 100_000).optional(), 'The minimum number of characters.', leftOut),
  max_length: described(whole(1, 100_000).optional(), 'The maximum number of characters.', leftOut),
  pattern: described(
    text(1, 500).optional(),
    'A regular expression (RE2 syntax) that the whole answer must match. With repetitions expanded, a pattern may have at most ' +
      `${patternSteps.perField} steps (characters, classes, groups, alternatives), and all patterns of a form together ${patternSteps.perForm}.`,
    leftOut,
  ),
  trim: described(
    bool().optional(),
    'Whether white space around the answer is left out. `false` keeps it, where it has a meaning; by default it is left out.',
    leftOut,
  ),
  accept: described(
    z.array(mediaType(), 'must be an array').min(1, 'must have at least one type').max(50, 'must have at most 50 types').optional(),
    'The media types that the field accepts, such as `image/*`; all if absent.',
    leftOut,
  ),
  max_bytes: described(whole(1, 2_147_483_647).optional(), "The maximum size of a file. The deployment's limit applies as well.", leftOut),
  visible_if: visibleIf(),
  required_if: described(
    Condition.optional(),
    'With `required: true`: the field must be answered only if this condition on the answers to earlier fields holds.',
    leftOut,
  ),
  must_be_true: described(bool().optional(), 'For a required boolean: whether only `true` is a valid answer, as for consent.', leftOut),
  unique: described(
    bool().optional(),
    'Whether no two submissions may have the same answer, exactly, whatever its case and width. Those in the trash, in spam and without their payment have none.',
    leftOut,
  ),
  min_choices: described(whole(1, 1_000).optional(), 'For `multi_select`: the minimum number of options in an answer.', leftOut),
  max_choices: described(whole(1, 1_000).optional(), 'For `multi_select`: the maximum number of options in an answer.', leftOut),
  ranks: described(
    whole(1, maxListedForRanks).optional(),
    'For `ranking`: how many options an answer has, best first; all if absent. Fewer only if other answers leave fewer to choose from.',
    leftOut,
  ),
  min_date: described(localDate().optional(), 'The earliest day of an answer with dates.', leftOut),
  max_date: described(localDate().optional(), 'The latest day of an answer with dates.', leftOut),
  max_days: described(
    whole(1, maxDays).optional(),
    'For `date_range`: the most days that an answer may have, its first and last day among them.',
    leftOut,
  ),
  parts: described(
    z
      .array(
        z.object({
          part: described(oneOf(addressParts), 'The part, which is a text; `country` is a code.'),
          required: described(bool().default(false), 'Whether each address must have it. One without any part is no answer.'),
        }),
        'must be an array',
      )
      .min(1, 'must have at least one part')
      .max(addressParts.length, `must have at most ${addressParts.length} parts`)
      .refine((parts) => new Set(parts.map(({ part }) => part)).size === parts.length, 'must not have a part twice')
      .optional(),
    'For `address`: the parts for which it asks, in this order. If absent, all, of which `line2` and `region` are not required.',
    leftOut,
  ),
  only: described(
    countries(countryCodes.length),
    'For `country`: the countries to choose from, as codes of ISO 3166-1 alpha-2 or `XK`; all if absent. Pages show their names in the order of the reader’s language.',
    leftOut,
  ),
  preferred: described(
    countries(maxPreferred),
    'For `country`: those of the countries that are listed before all others, in this order.',
    leftOut,
  ),
  multiple: described(
    bool().optional(),
    'Whether the field takes several files, or several columns in each row of a `matrix`. The answer is then an array of `file_id`s, or has an array for each row.',
    leftOut,
  ),
  max_files: described(whole(1, maxFilesPerField).optional(), 'The maximum number of files if the field takes several.', leftOut),
  default: described(
    z
      .union(
        [plainValue(), z.array(z.string(), 'must be an array of strings')],
        'must be a string, a number, a boolean or an array of strings',
      )
      .optional(),
    'The answer that the form suggests.',
    leftOut,
  ),
  prefill: described(
    bool().optional(),
    'Whether the URL of the form may suggest an answer, as `?key=answer`. Hidden fields always take theirs from the URL.',
    leftOut,
  ),
  autocomplete: described(
    oneOf(autocompleteTokens).optional(),
    'The HTML autocomplete token, which lets browsers fill in the field.',
    leftOut,
  ),
  appearance: described(
    oneOf(appearances).optional(),
    'For a rating: what people choose from, `numbers` if absent. `stars` needs a scale from 1 to at most 10, and `faces` one of at most 10 steps. ' +
      'For a choice: `list`, `buttons` or, for `select`, `dropdown`, which is searched if it is long. If absent, pages show a list, or a dropdown for a `select` with more than seven options.',
    leftOut,
  ),
  shuffle: described(
    bool().optional(),
    'For a choice: whether each respondent gets the options in an order of their own, with *Other* as the last one. Hosted pages do; the order of `options` stays as it is.',
    leftOut,
  ),
  low_label: endLabel('lowest'),
  high_label: endLabel('highest'),
  score: described(
    oneOf(['nps']).optional(),
    'For a rating with `min: 0` and `max: 10`: the score that insights show. `nps` is the Net Promoter Score.',
    leftOut,
  ),
  other: described(
    z.object({ label: described(trimmed(1, 200), optionLabel, 'Something else') }).optional(),
    'For a choice: a last option with the value `other`. People who choose it say which, and the text is the answer to `<key>_other`, a field that stands behind this one. Translations of the label are among those of the options.',
    leftOut,
  ),
  other_of: described(
    fieldKey().optional(),
    'The key of the choice whose *Other* this text explains. It is made with the draft: what is sent of such a field is replaced.',
    leftOut,
  ),
  formula: described(
    trimmed(1, 2_000).optional(),
    'For a calculated field: what its answer is computed from, such as `places * price`. Names are the keys of earlier fields. A value that is sent as the answer is ignored.',
    leftOut,
  ),
  format: described(
    oneOf(formats).optional(),
    'For a calculated field: what the formula gives and how it is written, `number` if absent. `currency` and `percent` are numbers, and 0.25 is 25 percent.',
    leftOut,
  ),
  currency: described(currencyCode().optional(), 'For `format: currency`: its ISO 4217 code, such as `eur`.', leftOut),
  shown: described(bool().optional(), 'For a calculated field: whether respondents see the answer. They do if it is absent.', leftOut),
  messages: messages(),
};

/** A field of a repeat. */
export const InnerField = described(
  z.object({ ...fieldParts, translations: translations(FieldTranslation) }),
  'A field of a repeat, which is answered once for each item.',
);

export type InnerField = z.output<typeof InnerField>;

const itemLabel = () =>
  described(trimmed(1, 100).optional(), 'For `repeat`: what one item is called, such as `Guest`. Pages number the items.', leftOut);

export const Field = z.object({
  ...fieldParts,
  item_label: itemLabel(),
  fields: described(
    z
      .array(InnerField, 'must be an array')
      .min(1, 'must have at least one field')
      .max(maxFieldsOfRepeat, `must have at most ${maxFieldsOfRepeat} fields`)
      .optional(),
    `For \`repeat\`: the fields of each item, in order. Their keys are unique in the whole form. \`min\` and \`max\` bound the number of items, which is at most ${maxItemsOfRepeat}.`,
    leftOut,
  ),
  translations: translations(FieldTranslation.extend({ item_label: itemLabel() })),
});

export type Field = z.output<typeof Field>;

export const elementTypes = ['page', 'section', 'statement'] as const;

/** A part of a form without a question. The condition of a page or section also applies to everything on or in it. */
export const FormElement = described(
  z.object({
    type: described(oneOf(elementTypes), 'The type of the element. A `page` starts a new page, and a `section` a new section on its page.'),
    label: label(elementLabel),
    help: help(),
    visible_if: visibleIf(),
    translations: translations(z.object({ label: translatedLabel(elementLabel), help: help() })),
  }),
  'A page, section or statement of a form. It takes no answer.',
);

export type FormElement = z.output<typeof FormElement>;

/** The most checks that a form may have. */
export const maxChecks = 50;

const messageOfCheck = () => described(trimmed(1, 500), 'The message that people read.', 'The end must not be before the start');

/** It stands among the fields, because an earlier release refuses a list with a type that it does not know, and takes nothing in silence. */
export const FormCheck = described(
  z.object({
    type: described(z.literal('check', 'must be check'), 'The type.'),
    if: described(
      Condition,
      'The condition under which answers are refused. It depends on earlier fields; a hidden answer counts as none.',
      {
        key: 'ends',
        lt: { key: 'starts' },
      },
    ),
    message: messageOfCheck(),
    at: described(fieldKey(), 'The key of the earlier field where the message is shown. While that is hidden, nothing is refused.', 'ends'),
    translations: translations(z.object({ message: messageOfCheck().optional() })),
  }),
  'Answers that do not go together are refused. A check is never shown as an item, and takes no answer.',
);

export type FormCheck = z.output<typeof FormCheck>;

/** The most endings that a form may have. */
export const maxEndings = 20;

const titleOfEnding = () =>
  described(
    trimmed(1, 200),
    'The heading that people read once the form is sent. `{{key}}` shows the answer to an earlier field.',
    'We have a place for you',
  );
const textOfEnding = () =>
  described(
    text(0, 5_000).optional(),
    'The text below, with Markdown: emphasis, links and lists. `{{key}}` shows the answer to an earlier field.',
    leftOut,
  );

/** It stands among the fields for the same reason as a check: an earlier release would thank people for what they were refused. */
export const FormEnding = described(
  z.object({
    type: described(z.literal('ending', 'must be ending'), 'The type.'),
    name: described(fieldKey(), 'The name by which programs know the ending. No other ending of the form has it.', 'invited'),
    if: described(Condition, 'The condition under which the form ends so. It depends on earlier fields; a hidden answer counts as none.', {
      key: 'visits',
      equals: true,
    }),
    title: titleOfEnding(),
    text: textOfEnding(),
    redirect_url: described(
      webAddress().optional(),
      'The page that respondents get to. It starts with http:// or https:// and contains no user name or password.',
      leftOut,
    ),
    translations: translations(z.object({ title: titleOfEnding().optional(), text: textOfEnding() })),
  }),
  'An end of the form for some respondents. The first one whose condition holds takes the place of the thank-you. It takes no answer.',
);

export type FormEnding = z.output<typeof FormEnding>;

const itemTypes = [...fieldTypes, ...elementTypes, 'check', 'ending'] as const;

/** Whether this release knows what such an item is. A later one may have stored others. */
export const isKnownType = (type: string): boolean => itemTypes.some((known) => known === type);

export const FormItem = described(
  z
    .transform(asSentItem)
    .pipe(z.discriminatedUnion('type', [Field, FormElement, FormCheck, FormEnding], `must be one of ${itemTypes.join(', ')}`)),
  'A field of a form, an element between fields, a check of answers, or an ending. The type determines which other properties it may have.',
);

export type FormItem = z.output<typeof FormItem>;

/** Fields and elements in display order, as stored in drafts and versions. They travel between services as JSON bytes. */
/** The most fields and elements of a form, with the texts of *Other*. */
export const maxItems = 500;

export const FieldList = described(
  z.array(FormItem, 'must be an array').max(maxItems, `must have at most ${maxItems} fields`),
  'The fields of a form, in order.',
);
