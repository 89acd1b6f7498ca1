import { isOpen } from './openness';

// A form stores instants; the offset shows which local clock applied. Tested to the millisecond, on both sides of a clock change.

it.each<[string, string, string]>([
  ['Vienna in winter until summer time', '2026-03-28T09:00:00+01:00', '2026-03-29T09:00:00+02:00'],
  ['Vienna, opens at the moment of the gap', '2026-03-29T03:00:00+02:00', '2026-03-29T04:00:00+02:00'],
  ['Vienna, closes at the moment of the gap', '2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00'],
  ['Vienna, open for the hour that occurs twice', '2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00'],
  ['Vienna, opens in the second of two identical hours', '2026-10-25T02:30:00+01:00', '2026-10-25T03:00:00+01:00'],
  ['New York across the end of summer time', '2026-10-31T17:00:00-04:00', '2026-11-01T17:00:00-05:00'],
  ['Lord Howe across a change of half an hour', '2026-04-05T01:45:00+11:00', '2026-04-05T01:45:00+10:30'],
  ['Casablanca until Ramadan', '2026-02-14T09:00:00+01:00', '2026-02-15T02:00:00+00:00'],
  ['Apia across the day that did not occur', '2011-12-29T23:59:00-10:00', '2011-12-31T00:01:00+14:00'],
])('%s: accepts submissions from the first moment to the last, to the millisecond', (_, opens, closes) => {
  const [opensAt, closesAt] = [new Date(opens), new Date(closes)];
  const open = (from: Date, ms: number) => isOpen({ status: 'active', opensAt, closesAt }, new Date(from.getTime() + ms));

  expect([-1, 0, 1].map((ms) => open(opensAt, ms))).toEqual([false, true, true]);
  expect([-1, 0, 1].map((ms) => open(closesAt, ms))).toEqual([true, false, false]);
});
