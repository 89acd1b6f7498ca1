import { readRelativeDays, type Days } from '@sheaf/contracts';
import { DateTime, IANAZone } from 'luxon';

/** The days of a form, as its time zone has them. */
export interface Calendar {
  /** The days of a word such as `last_7_days`, and when they begin and end. Undefined for any other text. */
  days(word: string): (Days & { from: Date; to: Date }) | undefined;
}

/** The day of a moment, such as `2026-03-31`. @param zone that of the form; UTC without one, and for one that is unknown here */
export const dayOf = (now: Date, zone: string | undefined): string =>
  DateTime.fromJSDate(now, { zone: known(zone) }).toFormat('yyyy-MM-dd');

/** @param today the day from which they are counted */
export function calendarOn(today: string, zone: string | undefined): Calendar {
  const here = known(zone);
  // In some places a day does not begin at midnight.
  const startOf = (day: string) => DateTime.fromISO(day, { zone: here }).startOf('day').toJSDate();
  return {
    days: (word) => {
      const days = readRelativeDays(word, today);
      return days && { ...days, from: startOf(days.first), to: startOf(days.end) };
    },
  };
}

const known = (zone = 'UTC'): string => (IANAZone.isValidZone(zone) ? zone : 'UTC');
