import { retryAfterMs } from './retry-after';

const now = new Date('2026-06-01T12:00:00.000Z');

it.each([
  ['0', 0],
  ['120', 120_000],
  ['Mon, 01 Jun 2026 12:00:30 GMT', 30_000],
  ['Mon, 01 Jun 2026 11:00:00 GMT', 0],
])('reads %s', (after, ms) => expect(retryAfterMs({ 'retry-after': after }, now)).toBe(ms));

it('takes the time until a date from the clock of the server that names it', () => {
  const headers = { 'retry-after': 'Mon, 01 Jun 2026 10:02:00 GMT', date: 'Mon, 01 Jun 2026 10:00:00 GMT' };
  expect(retryAfterMs(headers, now)).toBe(120_000);
});

it.each(['', '-5', '1.5', '5s', 'soon', '2026-06-01T12:00:30Z', '99999999999', 'Mon, 99 Jun 2026 12:00:30 GMT'])('ignores %j', (after) =>
  expect(retryAfterMs({ 'retry-after': after }, now)).toBeUndefined(),
);

it('knows nothing of an answer without the header', () => expect(retryAfterMs({}, now)).toBeUndefined());
