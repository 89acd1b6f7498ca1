import type { Field } from '@sheaf/contracts';

/** The facts by which a calculated answer is written. Pages tell them to their script. */
export interface Writing {
  format: NonNullable<Field['format']>;
  currency: string | undefined;
  locale: string;
  yes: string;
  no: string;
}

/** An empty result, which is no answer yet. */
export const nothing = '–';

/** A calculated answer as the reader's language writes it, the same on the server and in the script of a page. */
export function writtenResult(value: unknown, { format, currency, locale, yes, no }: Writing): string {
  if (typeof value === 'number') return new Intl.NumberFormat(locale, styleOf(format, currency)).format(value);
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value !== 'string') return nothing;
  if (format !== 'date') return value;
  const day = { calendar: 'gregory', year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, day).format(Date.parse(value));
}

function styleOf(format: Writing['format'], currency: string | undefined): Intl.NumberFormatOptions {
  // An author may not have typed all of its code yet.
  if (format === 'currency' && /^[a-z]{3}$/i.test(currency ?? '')) return { style: 'currency', currency };
  return format === 'percent' ? { style: 'percent', maximumFractionDigits: 2 } : { maximumFractionDigits: 20 };
}
