// date, time, seconds, their fraction, offset
export const dateTimeShape =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/**
 * Normalizes an RFC 3339 date-time to a form that all libraries can read: `T` and `Z` in upper case, and a leap second as the second that
 * follows it, as in PostgreSQL and Unix. The offset may be absent.
 * @returns undefined for anything else, including dates that do not exist.
 */
export function readDateTime(text: string): string | undefined {
  const [, date, time, seconds, fraction = '', offset = ''] = dateTimeShape.exec(text) ?? [];
  if (date === undefined || time === undefined || seconds === undefined) return undefined;
  const zone = offset.toUpperCase();
  const midnight = new Date(`${date}T00:00:00Z`);
  // `Date` parses 31 February as a day in March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return undefined;
  return seconds === '60' ? afterLeapSecond(`${date}T${time}:59`, zone, fraction) : `${date}T${time}:${seconds}${fraction}${zone}`;
}

/** Leap seconds occur at the end of a month in UTC. A local time is accepted, because it is a leap second in some zone. */
function afterLeapSecond(before: string, zone: string, fraction: string): string | undefined {
  const after = new Date(Date.parse(`${before}${zone === '' ? 'Z' : zone}`) + 1_000).toISOString();
  if (zone !== '' && !after.endsWith('-01T00:00:00.000Z')) return undefined;
  return `${after.slice(0, 19)}${fraction}${zone === '' ? '' : 'Z'}`;
}
