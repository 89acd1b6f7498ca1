import type { FormItem } from '@sheaf/client';
import { countryName } from '@sheaf/contracts';

/**
 * Writes numbers and times as the reader's language does. Times are in the browser's time zone, unless another is given.
 * @param language may have a region, which decides about the order of dates and the 24 hours of a day
 */
export function formatsOf(language: string) {
  // Months as words, because 4/5 is two different days.
  const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const dateTime = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const either = new Intl.ListFormat(language, { type: 'disjunction' });
  return {
    date: (value: Date | string) => date.format(new Date(value)),
    /** Days of the calendar, such as 2026-05-31, which are the same in every time zone. */
    days: (from: string, to: string) => (from === to ? day.format(new Date(from)) : day.formatRange(new Date(from), new Date(to))),
    dateTime: (value: Date | string, timeZone?: string) =>
      timeZone === undefined
        ? dateTime.format(new Date(value))
        : new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(value)),
    exact: (value: Date | string) => exact.format(new Date(value)),
    number: (value: number) => number.format(value),
    country: (code: string) => countryName(language, code),
    percent: (share: number) => percent.format(share),
    list: (items: readonly string[]) => list.format(items),
    /** "red, green or blue". */
    either: (items: readonly string[]) => either.format(items),
    /** How long ago, or the date if that is more than a week. */
    since: (value: Date | string, now = Date.now()) => {
      const seconds = (new Date(value).getTime() - now) / 1000;
      const [unit, size] = unitOf(Math.abs(seconds));
      return Math.abs(seconds) > 7 * 86_400 ? date.format(new Date(value)) : relative.format(Math.round(seconds / size), unit);
    },
    /** How long something took, in its two largest units: "2 min, 5 sec". */
    duration: (seconds: number) =>
      durationParts(seconds)
        .map(([count, unit]) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
        .join(' '),
    /** A number that is an amount of money, by the code of its currency, or a share of which 1 is 100%. */
    amount: (value: number, style: AmountStyle | undefined) =>
      style === undefined ? number.format(value) : new Intl.NumberFormat(language, style).format(value),
    bytes: (size: number) => {
      const unit = size < 1_000 ? 'byte' : size < 1_000_000 ? 'kilobyte' : size < 1e9 ? 'megabyte' : 'gigabyte';
      const scale = { byte: 1, kilobyte: 1_000, megabyte: 1_000_000, gigabyte: 1e9 }[unit];
      return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(size / scale);
    },
  };
}

export type AmountStyle = { style: 'currency'; currency: string } | { style: 'percent'; maximumFractionDigits: number };

/** How the numbers of a field are written; undefined if they are plain ones. */
export function amountStyleOf(field: FormItem | undefined): AmountStyle | undefined {
  if (field?.type !== 'calculated') return undefined;
  const { format, currency = '' } = field;
  if (format === 'currency' && /^[a-z]{3}$/i.test(currency)) return { style: 'currency', currency };
  return format === 'percent' ? { style: 'percent', maximumFractionDigits: 2 } : undefined;
}

const durationUnits = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function durationParts(seconds: number): [number, string][] {
  const largest = durationUnits.findIndex(([, size]) => seconds >= size);
  const [first, second] = durationUnits.slice(largest < 0 ? -1 : largest);
  if (!first) return [];
  const rest = second ? Math.floor((seconds % first[1]) / second[1]) : 0;
  return [[Math.floor(seconds / first[1]), first[0]], ...(second && rest > 0 ? [[rest, second[0]] as [number, string]] : [])];
}

const unitOf = (seconds: number): [Intl.RelativeTimeFormatUnit, number] => {
  if (seconds < 60) return ['second', 1];
  if (seconds < 3_600) return ['minute', 60];
  return seconds < 86_400 ? ['hour', 3_600] : ['day', 86_400];
};

/** The language as the browser's regions write it. A system without a locale tells of tags that `Intl` refuses, such as `en-US@posix`. */
export const regionalTag = (language: string, tags: readonly string[]): string =>
  tags.find((tag) => tag.startsWith(`${language}-`) && /^[\w-]+$/.test(tag)) ?? language;

export type Formats = ReturnType<typeof formatsOf>;
