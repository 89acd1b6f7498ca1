import { instantOf, wallTime } from './wall-time';

describe('a time on the clocks of a zone', () => {
  it.each([
    ['2026-01-15T09:30', 'Europe/Berlin', '2026-01-15T08:30:00.000Z'],
    ['2026-07-15T09:30', 'Europe/Berlin', '2026-07-15T07:30:00.000Z'],
    ['2026-07-15T00:00', 'Asia/Kolkata', '2026-07-14T18:30:00.000Z'],
    ['2026-12-31T23:59', 'UTC', '2026-12-31T23:59:00.000Z'],
  ])('is an instant and back: %s in %s', (wall, zone, instant) => {
    expect(instantOf(wall, zone)?.toISOString()).toBe(instant);
    expect(wallTime(instant, zone)).toBe(wall);
  });

  it('means the first of two when clocks are set back', () => {
    expect(instantOf('2026-10-25T02:30', 'Europe/Berlin')?.toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  it('moves forward when clocks skip it', () => {
    expect(instantOf('2026-03-29T02:30', 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
  });

  it('is none if the text is no time', () => expect(instantOf('soon', 'UTC')).toBeUndefined());
});
