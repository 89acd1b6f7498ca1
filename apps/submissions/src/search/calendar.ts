import { readRelativeDays, type Days } from '@sheaf/contracts';
import { DateTime, IANAZone } from 'luxon';

/** The days of a form, as its time zone has them. */
export interface Calendar {
  /** The days of a word such as `last_7_days`, and when they begin and end. Undefined for any other text. */
  days(word: string): (Days & { from: Date; to: Date }) | undefined;
}

/** @param zone that of the form; UTC without one, and for one that is unknown here */
export function calendarAt(now: Date, zone = 'UTC'): Calendar {
  const here = IANAZone.isValidZone(zone) ? zone : 'UTC';
  const today = DateTime.fromJSDate(now, { zone: here }).toFormat('yyyy-MM-dd');
  // In some places a day does not begin at midnight.
  const startOf = (day: string) => DateTime.fromISO(day, { zone: here }).startOf('day').toJSDate();
  return {
    days: (word) => {
      const days = readRelativeDays(word, today);
      return days && { ...days, from: startOf(days.first), to: startOf(days.end) };
    },
  };
}
