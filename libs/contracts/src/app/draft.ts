import { z } from 'zod';
import { instant, localDate, oneOf, text, trimmed, bool, whole } from '../shapes';
import { patternSteps } from '../pattern-size';
import { fieldTypes, maxFilesPerField } from '../fields/field-kinds';
import { Payment } from './payment';

const key = () =>
  z
    .string('must be a string')
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a lower-case letter followed by up to 63 lower-case letters, digits or underscores');

/** A plain string is shorthand for an option with the same value and label. */
const option = () =>
  z.union(
    [
      // Piped into a shape, because the documentation cannot describe the result of a transformation.
      trimmed(1, 200)
        .transform((value) => ({ value, label: value }))
        .pipe(z.object({ value: z.string(), label: z.string() })),
      z.object({ value: trimmed(1, 200), label: trimmed(1, 200) }),
    ],
    'must be a string, or an object with value and label',
  );

const plainValue = () => z.union([z.string(), z.number(), z.boolean()], 'must be a string, a number or a boolean');

/** A single type (`image/png`) or a whole kind (`image/*`). */
const mediaType = () =>
  z
    .string('must be a string')
    .max(127, 'must have at most 127 characters')
    .regex(
      /^[a-z0-9][a-z0-9!#$&^_.+-]*\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/,
      'must be a media type in lower case, such as image/png or image/*',
    );

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

/** The field is shown, and may be required, only while the condition on an earlier field holds. A condition has exactly one operator. */
const condition = () =>
  z
    .object({
      key: key(),
      equals: plainValue().optional(),
      not_equals: plainValue().optional(),
      in: z
        .array(plainValue(), 'must be an array')
        .min(1, 'must have at least one value')
        .max(200, 'must have at most 200 values')
        .optional(),
      answered: bool().optional(),
    })
    .refine(
      ({ equals, not_equals, in: among, answered }) =>
        [equals, not_equals, among, answered].filter((part) => part !== undefined).length === 1,
      'must have exactly one of equals, not_equals, in, answered',
    );

/** A language tag (RFC 5646) with a region or script at most, such as `de` or `pt-BR`. */
export const languageTag = () =>
  z
    .string('must be a language tag such as de or pt-BR')
    .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?$/, 'must be a language tag such as de or pt-BR');

export const maxLanguages = 30;

const byLanguage = <T extends z.ZodType>(translation: T) =>
  z
    .record(languageTag(), translation, 'must be an object with language tags as keys')
    .refine((languages) => Object.keys(languages).length <= maxLanguages, `must have at most ${maxLanguages} languages`);

const Translation = z.object({ label: trimmed(1, 500).optional(), help: text(0, 2_000).optional() });

const FieldTranslation = Translation.extend({
  placeholder: text(0, 200).optional(),
  /** Option labels, by option value. */
  options: z.record(z.string(), trimmed(1, 200), 'must be an object with the values of options as keys').optional(),
});

export const Field = z.object({
  key: key(),
  label: trimmed(1, 500),
  type: oneOf(fieldTypes),
  required: bool().default(false),
  help: text(0, 2_000).optional(),
  placeholder: text(0, 200).optional(),
  options: z
    .array(option(), 'must be an array')
    .min(1, 'must have at least one option')
    .max(1_000, 'must have at most 1000 options')
    .optional(),
  min: bound().optional(),
  max: bound().optional(),
  min_length: whole(0, 100_000).optional(),
  max_length: whole(1, 100_000).optional(),
  pattern: text(1, 500)
    .optional()
    .meta({
      description:
        'A regular expression (RE2 syntax) that the whole answer must match. With repetitions expanded, a pattern may have at most ' +
        `${patternSteps.perField} steps (characters, classes, groups, alternatives), and all patterns of a form together ${patternSteps.perForm}.`,
    }),
  trim: bool().optional().meta({
    description: 'Whether white space around the answer is left out. `false` keeps it, where it has a meaning; by default it is left out.',
  }),
  /** The accepted file types; if absent, every type is accepted. */
  accept: z.array(mediaType(), 'must be an array').min(1, 'must have at least one type').max(50, 'must have at most 50 types').optional(),
  /** The maximum size of a file. The operator's FILE_MAX_BYTES applies as well. */
  max_bytes: whole(1, 2_147_483_647).optional(),
  visible_if: condition().optional(),
  must_be_true: bool().optional().meta({ description: 'For a required boolean: whether only `true` is a valid answer, as for consent.' }),
  min_choices: whole(1, 1_000).optional(),
  max_choices: whole(1, 1_000).optional(),
  min_date: localDate().optional(),
  max_date: localDate().optional(),
  multiple: bool().optional(),
  max_files: whole(1, maxFilesPerField).optional(),
  default: z
    .union(
      [plainValue(), z.array(z.string(), 'must be an array of strings')],
      'must be a string, a number, a boolean or an array of strings',
    )
    .optional(),
  prefill: bool().optional(),
  autocomplete: oneOf(autocompleteTokens).optional(),
  translations: byLanguage(FieldTranslation).optional(),
});

export type Field = z.output<typeof Field>;

export const elementTypes = ['page', 'section', 'statement'] as const;

/** A part of a form without a question. The condition of a page or section also applies to everything on or in it. */
export const FormElement = z.object({
  type: oneOf(elementTypes),
  label: trimmed(1, 500),
  help: text(0, 2_000).optional(),
  visible_if: condition().optional(),
  translations: byLanguage(Translation).optional(),
});

export type FormElement = z.output<typeof FormElement>;

const itemTypes = [...fieldTypes, ...elementTypes] as const;

export const FormItem = z.discriminatedUnion('type', [Field, FormElement], `must be one of ${itemTypes.join(', ')}`);

export type FormItem = z.output<typeof FormItem>;

/** Fields and elements in display order, as stored in drafts and versions. They travel between services as JSON bytes. */
export const FieldList = z.array(FormItem, 'must be an array').max(500, 'must have at most 500 fields');

/** A form without `payment` collects none. */
export const DraftRequest = z.object({ fields: FieldList, payment: Payment.optional(), revision: whole(0, 2_147_483_647) });
export const Draft = z.object({ fields: z.array(FormItem), payment: Payment.optional(), revision: z.int(), updated_at: instant() });
