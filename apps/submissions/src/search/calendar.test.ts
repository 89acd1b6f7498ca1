import { calendarOn, dayOf } from './calendar';

const at = (moment: string, zone: string | undefined, word: string) => {
  const { from, to } = calendarOn(dayOf(new Date(moment), zone), zone).days(word) ?? {};
  return [from?.toISOString(), to?.toISOString()];
};

it.each([
  ['2026-03-29T22:30:00Z', 'Europe/Vienna', 'today', '2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'],
  // The night in which clocks are set forward: 23 hours.
  ['2026-03-29T21:30:00Z', 'Europe/Vienna', 'today', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-03-29T21:30:00Z', 'Pacific/Auckland', 'today', '2026-03-29T11:00:00.000Z', '2026-03-30T11:00:00.000Z'],
  ['2026-03-29T21:30:00Z', 'America/New_York', 'last_7_days', '2026-03-23T04:00:00.000Z', '2026-03-30T04:00:00.000Z'],
  ['2026-03-29T21:30:00Z', undefined, 'last_month', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['2026-03-29T21:30:00Z', 'Mars/Olympus', 'today', '2026-03-29T00:00:00.000Z', '2026-03-30T00:00:00.000Z'],
  // Clocks there go from 23:59 to 01:00.
  ['2026-03-29T12:00:00Z', 'Asia/Beirut', 'today', '2026-03-28T22:00:00.000Z', '2026-03-29T21:00:00.000Z'],
])('at %s in %s, %s is from %s until before %s', (moment, zone, word, from, to) => {
  expect(at(moment, zone, word)).toEqual([from, to]);
});
