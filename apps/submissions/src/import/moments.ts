import type { DateOrder } from '@sheaf/contracts';
import { DateTime } from 'luxon';

/** A day, a time of day, or both, as the parts of an answer. */
export interface Moment {
  day?: string;
  /** `HH:MM` or `HH:MM:SS`. */
  time?: string;
  /** `Z` or `+01:00`. */
  offset?: string;
}

const dayShapes: readonly [RegExp, (order: DateOrder) => readonly [year: number, month: number, day: number]][] = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/, () => [1, 3, 4]],
  // Before a point, the month never comes first.
  [/^(\d{1,2})(\.) ?(\d{1,2})\. ?(\d{4})(?!\d)/, () => [4, 3, 1]],
  [/^(\d{1,2})([-/])(\d{1,2})\2(\d{4})(?!\d)/, (order) => (order === 'day_first' ? [4, 3, 1] : [4, 1, 3])],
];
const timeShape =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:\s?([ap])\.?\s?m\.?)?(?:\s?(?:(z|utc|gmt)|(?:utc|gmt)?([+-])(\d{1,2}):?(\d{2})?))?$/i;

/** Of `3/2/2026` and the like, where the column tells no order. */
export const isAmbiguous = (text: string): boolean => {
  const [, first, , second] = /^\s*(\d{1,2})([-/])(\d{1,2})\2\d{4}(?!\d)/.exec(text) ?? [];
  return first !== undefined && second !== undefined && Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second);
};

/** The order of day and month that the dates of a column have, as far as one of them tells. */
export function orderIn(texts: Iterable<string>): DateOrder | undefined {
  for (const text of texts) {
    const [, first, , second] = /^\s*(\d{1,2})([-/])(\d{1,2})\2\d{4}(?!\d)/.exec(text) ?? [];
    if (Number(first) > 12) return 'day_first';
    if (Number(second) > 12) return 'month_first';
  }
  return undefined;
}

/** Reads a date, a time, or both, as people and programs write them; undefined for anything else. */
export function readMoment(text: string, order: DateOrder = 'day_first'): Moment | undefined {
  const given = text.trim();
  if (given.length > 64) return undefined;
  for (const [shape, places] of dayShapes) {
    const found = shape.exec(given);
    if (!found) continue;
    const [year, month, day] = places(order).map((place) => found[place] ?? '');
    const read = { day: `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}` };
    const rest = given.slice(found[0].length).replace(/^(?:[Tt]|,?\s+)/, '');
    if (rest === '') return read;
    const time = readTime(rest);
    return time && { ...read, ...time };
  }
  return readTime(given);
}

function readTime(text: string): Moment | undefined {
  const [, hours, minutes, seconds, half, utc, sign, offsetHours, offsetMinutes = '00'] = timeShape.exec(text) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = `${String(hour).padStart(2, '0')}:${minutes}${seconds === undefined ? '' : `:${seconds}`}`;
  if (utc !== undefined) return { time, offset: 'Z' };
  return sign === undefined ? { time } : { time, offset: `${sign}${(offsetHours ?? '').padStart(2, '0')}:${offsetMinutes}` };
}

/** The moment at which something was sent; undefined if there is none. */
export function instantOf({ day, time = '00:00', offset }: Moment, zone: string): Date | undefined {
  if (day === undefined) return undefined;
  const read = DateTime.fromISO(`${day}T${time}${offset ?? ''}`, { zone });
  return read.isValid ? read.toJSDate() : undefined;
}
