import { decimalsOf } from '@sheaf/contracts';
import { wordLanguageOf } from './languages';
import { likelyTag } from './tags';
import { cached, dateTimeIn, day, dayIn, listIn, numberIn, timeIn } from './local-formats';

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
export const formatNumber = (language: string, value: number): string => numberIn(localeOf(language), value);

/** A day without a time zone, such as `2026-05-31`. Text that is no day is returned as it is. */
export const formatDay = (language: string, isoDay: string): string => dayIn(localeOf(language), isoDay);

/** A time of day, such as `14:30`, without a time zone. Text that is no time is returned as it is. */
export const formatTime = (language: string, time: string): string => timeIn(localeOf(language), time);

/** A day and time that the respondent chose. */
export const formatDateTime = (language: string, text: string): string => dateTimeIn(localeOf(language), text);

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
export const formatList = (language: string, items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  listIn(localeOf(language), items, type);
