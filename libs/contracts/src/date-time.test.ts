import { readDateTime } from './date-time';
import { localInstant, offsetInstant } from './shapes';

it.each([
  ['2026-05-31T14:30:00Z', '2026-05-31T14:30:00Z'],
  ['2026-05-31t14:30:00z', '2026-05-31T14:30:00Z'],
  ['2026-05-31T14:30:00.123456789+05:30', '2026-05-31T14:30:00.123456789+05:30'],
  ['2026-05-31T14:30:00-00:00', '2026-05-31T14:30:00-00:00'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['2026-05-31T14:30:00', '2026-05-31T14:30:00'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['2016-12-31T15:59:60.5-08:00', '2017-01-01T00:00:00.5Z'],
  ['2016-12-31T15:59:60', '2016-12-31T16:00:00'],
])('normalizes the date-time %s to %s', (text, read) => {
  expect(readDateTime(text)).toBe(read);
});

it.each([
  '2026-05-31',
  '2026-05-31T14:30Z',
  '2026-05-31T14Z',
  '2026-05-31 14:30:00Z',
  '2026-05-31T14:30:00,5Z',
  '2026-05-31T14:30:00.Z',
  '2026-05-31T24:00:00Z',
  '2026-05-31T14:60:00Z',
  '2026-05-31T14:30:61Z',
  '2026-05-31T14:30:60Z',
  '2026-02-29T14:30:00Z',
  '2026-04-31T14:30:00Z',
  '2026-13-01T14:30:00Z',
  '2026-00-01T14:30:00Z',
  '2026-01-00T14:30:00Z',
  '2026-05-31T14:30:00+0200',
  '2026-05-31T14:30:00+02',
  '2026-05-31T14:30:00+24:00',
  '+002026-05-31T14:30:00Z',
  '20260531T143000Z',
  ' 2026-05-31T14:30:00Z',
  '2026-W22-7T14:30:00Z',
  '',
])('rejects %j, which is not an RFC 3339 date-time', (text) => {
  expect(readDateTime(text)).toBeUndefined();
  expect(offsetInstant().safeParse(text).success).toBe(false);
  expect(localInstant().safeParse(text).success).toBe(false);
});

it('requires an offset where the time zone is unknown', () => {
  expect(offsetInstant().safeParse('2026-05-31T14:30:00').success).toBe(false);
  expect(localInstant().parse('2026-05-31T14:30:00')).toBe('2026-05-31T14:30:00');
  expect(offsetInstant().parse('2026-05-31t14:30:00z')).toBe('2026-05-31T14:30:00Z');
});
