// By the locale alone, without our words: the script of a page writes answers with it, as the server does.

/** A cache of `Intl` objects, which are slow to make. It forgets everything when it is full, because authors choose some of the keys. */
const maxFormatters = 500;
const formatters = new Map<string, unknown>();

export function cached<T>(key: string, make: () => T): T {
  const found = formatters.get(key) as T | undefined;
  if (found !== undefined) return found;
  if (formatters.size >= maxFormatters) formatters.clear();
  const made = make();
  formatters.set(key, made);
  return made;
}

/** Not rounded: a bound of 0.0001 must not become 0. */
export const numberIn = (locale: string, value: number): string =>
  cached(`number ${locale}`, () => new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })).format(value);

/** Bounds have to match the date inputs of browsers, also where another calendar is usual. */
export const calendar = 'gregory';

export const day = { calendar, year: 'numeric', month: 'long', day: 'numeric' } as const;

/** A day without a time zone, such as `2026-05-31`. Text that is no day is returned as it is. */
export function dayIn(locale: string, isoDay: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(isoDay) ? Date.parse(isoDay) : Number.NaN;
  if (Number.isNaN(time)) return isoDay;
  return cached(`day ${locale}`, () => new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' })).format(time);
}

/** A time of day, such as `14:30`, without a time zone. Text that is no time is returned as it is. */
export const timeIn = (locale: string, time: string): string =>
  /^\d{2}:\d{2}/.test(time) ? localTime(locale, `1970-01-01T${time}`, time, {}) : time;

/** A day and time that the respondent chose. One with an offset is shown in UTC, which is named; others are local, wherever that is. */
export const dateTimeIn = (locale: string, text: string): string =>
  /^[^T]*T.*(?:Z|[+-]\d{2}:\d{2})$/i.test(text)
    ? localTime(locale, text, text, { ...day, timeZoneName: 'short' })
    : localTime(locale, text, text, day);

function localTime(locale: string, iso: string, text: string, parts: Intl.DateTimeFormatOptions): string {
  const time = Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/i.test(iso) ? iso : `${iso}Z`);
  if (Number.isNaN(time)) return text;
  const minute = { ...parts, calendar, hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
  return cached(`time ${locale} ${Object.keys(parts).join(' ')}`, () => new Intl.DateTimeFormat(locale, minute)).format(time);
}

/** `a, b and c`, or with `disjunction` `a, b or c`. */
export const listIn = (locale: string, items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  cached(`list ${locale} ${type}`, () => new Intl.ListFormat(locale, { type })).format(items);
