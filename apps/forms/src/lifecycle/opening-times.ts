import { Problem } from '@sheaf/kernel';
import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';

/** Whether the name is that of an IANA time zone. An offset such as `+02:00` is not, although newer versions of ICU accept it. */
export const isTimeZone = (name: string): boolean => /^[a-z]/i.test(name) && IANAZone.isValidZone(name);

export interface OpeningTimes {
  opens_at: Date | null;
  closes_at: Date | null;
}

/**
 * The opening and closing times that a patch changes. A time without an offset is local to the time zone that the form has after the patch,
 * or UTC; it must occur there exactly once. A stored time is an instant and stays unchanged when the time zone changes.
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
  // The time zone applies only without an offset in the text. Milliseconds are precise enough, and luxon limits the number of digits.
  const time = DateTime.fromISO(text.replace(/(\.\d{3})\d+/, '$1'), { zone: 'utc' });
  const instant = hasOffset(text) ? time : onlyMoment(field, time, timezone);
  const { year } = instant;
  if (!instant.isValid || year < 1 || year > 9_999)
    throw Problem.badRequest(`${field}: must be a date-time between the years 0001 and 9999`);
  return instant.toJSDate();
}

const hasOffset = (text: string): boolean => /(?:Z|[+-]\d{2}:\d{2})$/.test(text);

/** Further than any zone's clock was ever moved: Samoa skipped a day. */
const aroundMs = 36 * 3_600_000;

/**
 * The moment at which a clock in the zone shows a time. When clocks are set forward or back, only the author of a time knows what it means.
 * @param wall what the clock shows, as if it were UTC
 */
function onlyMoment(field: string, wall: DateTime, timezone: string): DateTime {
  const zone = timezone === 'utc' ? FixedOffsetZone.utcInstance : IANAZone.create(timezone);
  const offsets = [...new Set([-aroundMs, 0, aroundMs].map((ms) => zone.offset(wall.toMillis() + ms)))];
  const moments = offsets
    .map((minutes) => wall.minus({ minutes }))
    .filter((moment, at) => zone.offset(moment.toMillis()) === offsets[at])
    .sort((a, b) => a.toMillis() - b.toMillis());
  const [moment = wall, other] = moments;
  if (moments.length === 1) return moment;
  const shown = wall.toFormat("yyyy-MM-dd'T'HH:mm:ss");
  if (!other)
    throw Problem.badRequest(`${field}: ${shown} does not occur in ${timezone}, where clocks are set forward; choose another time`);
  const choice = [moment, other].map((one) => one.setZone(zone).toFormat('ZZ')).join(' or ');
  throw Problem.badRequest(
    `${field}: ${shown} occurs twice in ${timezone}, where clocks are set back; add the offset ${choice}, or choose another time`,
  );
}
