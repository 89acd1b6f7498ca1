import { wordLanguageOf } from './languages';
import { likelyTag } from './tags';
import { decimalsOf } from './currencies';

/** A cache of `Intl` objects, which are slow to make. It forgets everything when it is full, because authors choose some of the keys. */
const maxFormatters = 500;
const formatters = new Map<string, unknown>();

function cached<T>(key: string, make: () => T): T {
  const found = formatters.get(key) as T | undefined;
  if (found !== undefined) return found;
  if (formatters.size >= maxFormatters) formatters.clear();
  const made = make();
  formatters.set(key, made);
  return made;
}

/**
 * Numbers and dates are written as in the language of our words, which they stand among, and in its region if the page has one. English
 * without a region writes dates as most of the world does: `31 May 2026`.
 */
export const localeOf = (language: string): string =>
  cached(`locale ${language}`, () => {
    const ours = wordLanguageOf(language);
    const locale = likelyTag(language)?.language === likelyTag(ours)?.language ? language : ours;
    return locale === 'en' ? 'en-GB' : locale;
  });

/** Not rounded: a bound of 0.0001 must not become 0. */
export function formatNumber(language: string, value: number): string {
  return cached(`number ${language}`, () => new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 })).format(value);
}

/** Bounds have to match the date inputs of browsers, also where another calendar is usual. */
const calendar = 'gregory';

const day = { calendar, year: 'numeric', month: 'long', day: 'numeric' } as const;

/** A day without a time zone, such as `2026-05-31`. Text that is no day is returned as it is. */
export function formatDay(language: string, isoDay: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(isoDay) ? Date.parse(isoDay) : Number.NaN;
  if (Number.isNaN(time)) return isoDay;
  return cached(`day ${language}`, () => new Intl.DateTimeFormat(localeOf(language), { ...day, timeZone: 'UTC' })).format(time);
}

/** A time of day, such as `14:30`, without a time zone. Text that is no time is returned as it is. */
export const formatTime = (language: string, time: string): string =>
  /^\d{2}:\d{2}/.test(time) ? localTime(language, `1970-01-01T${time}`, time, {}) : time;

/** A day and time that the respondent chose. One with an offset is shown in UTC, which is named; others are local, wherever that is. */
export const formatDateTime = (language: string, text: string): string =>
  /^[^T]*T.*(?:Z|[+-]\d{2}:\d{2})$/i.test(text)
    ? localTime(language, text, text, { ...day, timeZoneName: 'short' })
    : localTime(language, text, text, day);

function localTime(language: string, iso: string, text: string, parts: Intl.DateTimeFormatOptions): string {
  const time = Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/i.test(iso) ? iso : `${iso}Z`);
  if (Number.isNaN(time)) return text;
  const minute = { ...parts, calendar, hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
  return cached(`time ${language} ${Object.keys(parts).join(' ')}`, () => new Intl.DateTimeFormat(localeOf(language), minute)).format(time);
}

/** A day and time in the time zone, which is named. */
export function formatInstant(language: string, instant: Date, timeZone = 'UTC'): string {
  const minute = { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short', timeZone } as const;
  return cached(`instant ${language} ${timeZone}`, () => new Intl.DateTimeFormat(localeOf(language), minute)).format(instant);
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** In units of 1024 and rounded down, so that a limit never promises more than it allows, whichever way the respondent's system counts. */
export function formatSize(language: string, bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), sizeUnits.length - 1);
  const unit = sizeUnits[power] ?? 'byte';
  const unitDisplay = power === 0 ? 'long' : 'short';
  const tenths = Math.floor((bytes / 1024 ** power) * 10) / 10;
  return cached(`size ${language} ${unit}`, () => new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay })).format(
    tenths,
  );
}

/** `amount` is in the smallest unit of the currency. */
export function formatPrice(language: string, amount: number, currency: string): string {
  const digits = decimalsOf(currency);
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return cached(`price ${language} ${currency}`, () => new Intl.NumberFormat(localeOf(language), style)).format(amount / 10 ** digits);
}

/** `a, b and c`, or with `disjunction` `a, b or c`. */
export function formatList(language: string, items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return cached(`list ${language} ${type}`, () => new Intl.ListFormat(localeOf(language), { type })).format(items);
}
