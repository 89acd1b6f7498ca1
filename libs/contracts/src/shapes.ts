import { instanceRoles, scopes, urlIn, workspaceRoles } from '@sheaf/kernel';
import { z } from 'zod';
import { isBlank } from './blank';
import { dateTimeShape, readDateTime } from './date-time';
import { described } from './described';
import { isLonger, isShorter } from './length';
import { uncarried } from './operations/message';

// The building blocks of the contracts. Every message continues the field's name: `limit: must be between 1 and 100`.

// PostgreSQL cannot store NUL in text, and a lone surrogate has no UTF-8 encoding.
const storable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** In one check, because there may be tens of thousands of texts, and each check of each costs time. */
const textBetween = (min: number, max: number, isVisible: boolean) => {
  const between = min === 0 ? `must have at most ${max} characters` : `must have between ${min} and ${max} characters`;
  return ({ value, issues }: z.core.ParsePayload<string>) => {
    const report = (message: string) => issues.push({ code: 'custom', message, input: value });
    if (isShorter(value, min) || isLonger(value, max)) report(between);
    else if (!storable(value)) report('must be well-formed Unicode without NUL');
    else if (isVisible && isBlank(value)) report('must have a visible character');
  };
};

/** Any Unicode text. */
export const text = (min: number, max: number) => checkedText(min, max, false);

const checkedText = (min: number, max: number, isVisible: boolean) =>
  z
    .string('must be a string')
    .check(textBetween(min, max, isVisible))
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });

/** Like `text`, but trimmed before its length is checked. A required text must have a visible character. */
export const trimmed = (min: number, max: number) =>
  z
    .string('must be a string')
    .transform((value) => value.trim())
    .pipe(checkedText(min, max, min > 0))
    .meta({
      description: min === 0 ? `At most ${max} characters after trimming.` : `${min}–${max} characters after trimming.`,
      ...(min > 0 ? { minLength: min } : {}),
    });

/** An integer in a request body. */
export const whole = (min: number, max: number) => {
  const between = `must be a whole number between ${min} and ${max}`;
  return z.number(between).int(between).min(min, between).max(max, between);
};

export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values, `must be one of ${values.join(', ')}`);

/** A parameter that may be given several times, or once with several values between commas. */
export const several = <T extends readonly [string, ...string[]]>(values: T) =>
  z
    .preprocess((given) => (typeof given === 'string' ? given.split(',') : given), z.array(oneOf(values)).max(100))
    .overwrite((list) => [...new Set(list)]);

export const bool = () => z.boolean('must be true or false');

/** What `refine` needs for a value that is kept as JSON. */
export const jsonWithin = (maxBytes: number) =>
  [
    (value: unknown): boolean => new TextEncoder().encode(JSON.stringify(value)).length <= maxBytes,
    `must have at most ${maxBytes} bytes of JSON`,
  ] as const;

/** True or false in a query. */
export const flag = () =>
  oneOf(['true', 'false'])
    .transform((value) => value === 'true')
    .pipe(z.boolean());

/** An instant in a response, always in UTC: `2026-11-21T10:00:00.000Z`. */
export const instant = () => z.iso.datetime();

/** The id of what a response describes. */
export const ownId = () => described(z.string(), 'The id.', '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c07');

export const createdAt = () => described(instant(), 'The time of creation.', '2026-03-02T09:30:00.000Z');

export const updatedAt = () => described(instant(), 'The time of the last change.', '2026-03-04T16:05:12.000Z');

export const role = <T extends z.ZodType>(shape: T) =>
  described(shape, 'The role: owner, editor, viewer and, in workspaces, admin. Treat an unknown value as no access.', 'editor');

/** An instant in a request. The offset is required. */
export const offsetInstant = () =>
  dateTime('must be an RFC 3339 date-time with an offset, such as 2026-05-31T14:30:00Z', /(?:Z|[+-]\d{2}:\d{2})$/);

/** An instant in a request. Without an offset it is local time in the form's time zone. */
export const localInstant = () =>
  dateTime('must be an RFC 3339 date-time, such as 2026-05-31T14:30:00Z').meta({
    // No `date-time`, which requires an offset.
    format: undefined,
    pattern: dateTimeShape.source,
    description: "An RFC 3339 date-time. Without an offset, local time in the form's `timezone`.",
  });

/** A day of the calendar. */
export const localDate = () =>
  z
    .string(dateMessage)
    .refine((value) => /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) && readDateTime(`${value}T00:00:00`) !== undefined, dateMessage)
    .meta({ format: 'date' });

const dateMessage = 'must be a date such as 2026-05-31';

const dateTime = (message: string, shape = /^/) =>
  z
    .string(message)
    .refine((value) => {
      const read = readDateTime(value);
      return read !== undefined && shape.test(read);
    }, message)
    .overwrite((value) => readDateTime(value) ?? value)
    .meta({ format: 'date-time' });

export const email = () =>
  z
    .string('must be a string')
    .trim()
    .max(254, 'must have at most 254 characters')
    .pipe(z.email('must be an e-mail address'))
    .meta({ format: 'email' });

export const password = () => text(12, 200);

/** Labels below the service's domain that people would mistake for the service itself, or that other software treats specially. */
export const reservedSlugs: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover billing blog cdn console dashboard dev
   docs download downloads email files forms ftp gateway graphql health help hooks hostmaster id identity images imap internal invite legal localhost
   login logout mail media metrics mx ns ns1 ns2 oauth pay payments pop pop3 postmaster preview privacy public register root security sheaf signin
   signup smtp ssl sso staging static status support system terms upload uploads webhook webhooks webmaster webmail wpad ws www`.split(
    /\s+/,
  ),
);

/** The first label of a workspace's host name. Host names are compared in lower case. */
export const workspaceSlug = () =>
  z
    .string('must be a string')
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be 1 to 63 lower-case letters, digits and inner hyphens')
    .refine((slug) => !reservedSlugs.has(slug), 'is reserved');

/** A URL that browsers may load a picture from. */
export const pictureUrl = () =>
  text(1, 2_048)
    .refine((value) => urlIn(value) !== undefined && /^https:\/\/[^/]/i.test(value), 'must be an https URL')
    .meta({ format: 'uri' });

export const scopeList = () => z.array(oneOf(scopes), 'must be an array').overwrite((value) => [...new Set(value)]);

export const workspaceRole = () => oneOf(workspaceRoles);

export const instanceRole = () => oneOf(instanceRoles);

/** @param beyond the message for a number that is too large */
const digits = (min: number, max: number, message: string, beyond = message) =>
  z
    .string(message)
    .regex(/^-?\d+$/, message)
    .transform((value) => Math.max(Number(value), min - 1))
    .pipe(z.int(beyond).min(min, message).max(max, beyond));

/** The page of a paginated list (contract, section 4.1). */
export const page = {
  limit: described(digits(1, 100, 'must be between 1 and 100').default(25), 'The page size.'),
  offset: described(
    digits(0, Number.MAX_SAFE_INTEGER, 'must be at least 0', `must be at most ${Number.MAX_SAFE_INTEGER}`).default(0),
    'The number of items before this page.',
  ),
};

export const cursor = () => described(text(1, 1_000).optional(), 'The `next_cursor` of the previous page; absent for the first page.');

/** The page of a list that continues from a cursor. */
export const cursorPage = { limit: page.limit, cursor: cursor() };

const envelopeOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: items(item),
    total: total(),
    limit: described(z.int(), 'The page size.', 25),
    offset: described(z.int(), 'The number of items before this page.', 0),
  });

const items = <T extends z.ZodType>(item: T) => described(z.array(item), 'The items of this page.');
const total = () => described(z.int(), 'The total number of items on all pages.', 1);

/** The envelope of every list (contract, section 2.1). */
export const listOf = <T extends z.ZodType>(item: T) => uncarried(envelopeOf(item), 'limit', 'offset');

/** The same for a list without pages (docs/contract-decisions.md, Lists). */
export const wholeListOf = <T extends z.ZodType>(item: T) => uncarried(envelopeOf(item), 'total', 'limit', 'offset');

/** The envelope of a list that continues from a cursor. `next_cursor` is null on the last page. */
export const cursorListOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: items(item),
    total: total(),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
  });

/** The body of every error (contract, section 7). For invalid input, `details` lists the faults, up to the first 30. */
export const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z
      .array(
        z.object({
          key: z.string(),
          message: z.string(),
          code: z.string().optional(),
          params: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
        }),
      )
      .optional(),
  }),
});

/**
 * The first fault of an input, in one sentence that names the field and its bound. Parse with `reportInput`; otherwise a missing value looks
 * like a wrong type.
 */
export function explain(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'The input is invalid.';
  const field = issue.path.map(String).join('.');
  const message = issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : issue.message;
  return field === '' ? message : `${field}: ${message}`;
}
