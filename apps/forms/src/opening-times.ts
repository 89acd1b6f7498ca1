import { Problem } from '@sheaf/kernel';
import { DateTime, IANAZone } from 'luxon';

/** Whether the name is that of an IANA time zone. An offset such as `+02:00` is not, although newer versions of ICU accept it. */
export const isTimeZone = (name: string): boolean => /^[a-z]/i.test(name) && IANAZone.isValidZone(name);

export interface OpeningTimes {
  opens_at: Date | null;
  closes_at: Date | null;
}

/**
 * The opening and closing times that a patch changes. A time without an offset is local to the time zone that the form has after the patch,
 * or UTC. A stored time is an instant and stays unchanged when the time zone changes.
 * @throws Problem `bad_request` that names the field, also if the form would close before it opens.
 */
export function openingTimes(
  before: OpeningTimes & { timezone: string | null },
  patch: { opens_at?: string | null | undefined; closes_at?: string | null | undefined; timezone?: string | null | undefined },
): Partial<OpeningTimes> {
  const timezone = patch.timezone === undefined ? before.timezone : patch.timezone;
  const changes: Partial<OpeningTimes> = {};
  for (const field of ['opens_at', 'closes_at'] as const) {
    const text = patch[field];
    if (text !== undefined) changes[field] = text === null ? null : instantOf(field, text, timezone ?? 'utc');
  }

  const after = { ...before, ...changes };
  if (after.opens_at && after.closes_at && after.closes_at <= after.opens_at) {
    throw Problem.badRequest(changes.closes_at ? 'closes_at: must be after opens_at' : 'opens_at: must be before closes_at');
  }
  return changes;
}

function instantOf(field: string, text: string, timezone: string): Date {
  // `setZone` keeps the offset in the text; the time zone applies only without one.
  // Milliseconds are precise enough, and luxon limits the number of digits.
  const time = DateTime.fromISO(text.replace(/(\.\d{3})\d+/, '$1'), { zone: timezone, setZone: true });
  // A local time that occurs twice, when clocks are set back, means the earlier instant, as in RFC 5545: luxon alone returns either one,
  // depending on the current season. A time that is skipped moves forward by the length of the gap.
  const [instant = time] = time.getPossibleOffsets();
  const { year } = instant.toUTC();
  if (!instant.isValid || year < 1 || year > 9_999)
    throw Problem.badRequest(`${field}: must be a date-time between the years 0001 and 9999`);
  return instant.toJSDate();
}
