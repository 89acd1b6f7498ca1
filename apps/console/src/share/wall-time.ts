/** The zone that a form without one has. */
export const usualZone = 'UTC';

/** The time that clocks in the zone show at an instant, as `<input type="datetime-local">` writes it: `2026-05-31T14:30`. */
export function wallTime(instant: string | number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(instant));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/**
 * The instant at which clocks in the zone show a time, the first of two when clocks are set back, as the server reads it. A time that clocks
 * skip moves forward by the length of the gap. @returns undefined for a text that is no such time
 */
export function instantOf(wall: string, timeZone: string): Date | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(wall) ? Date.parse(`${wall.slice(0, 16)}:00Z`) : Number.NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (instant: number) => Date.parse(`${wallTime(instant, timeZone)}:00Z`) - Math.floor(instant / 60_000) * 60_000;
  // The offset a day before and a day after: one of them holds.
  const guesses = [asUtc - offsetAt(asUtc - 86_400_000), asUtc - offsetAt(asUtc + 86_400_000)];
  const exact = guesses.filter((instant) => wallTime(instant, timeZone) === wall.slice(0, 16));
  return new Date(exact.length > 0 ? Math.min(...exact) : (guesses[0] ?? asUtc));
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every zone that the browser knows. */
export const timeZones = (): string[] => [...new Set([usualZone, ...Intl.supportedValuesOf('timeZone')])];
