import { isTimeZone, openingTimes } from './opening-times';

const unset = { opens_at: null, closes_at: null, timezone: null };
const opens = (text: string, timezone: string | null = null) =>
  openingTimes({ ...unset, timezone }, { opens_at: text }).opens_at?.toISOString();

describe('a time', () => {
  it.each([
    ['with Z', '2026-06-01T09:00:00Z', 'Europe/Berlin', '2026-06-01T09:00:00.000Z'],
    ['with an offset, whatever the time zone', '2026-06-01T09:00:00+05:30', 'Europe/Berlin', '2026-06-01T03:30:00.000Z'],
    ['without an offset, in a form without a time zone', '2026-06-01T09:00:00', null, '2026-06-01T09:00:00.000Z'],
    ['without an offset, in winter', '2026-01-15T09:00:00', 'Europe/Berlin', '2026-01-15T08:00:00.000Z'],
    ['without an offset, in summer', '2026-07-15T09:00:00', 'Europe/Berlin', '2026-07-15T07:00:00.000Z'],
    ['without an offset, across the date line', '2026-07-15T09:00:00', 'Pacific/Kiritimati', '2026-07-14T19:00:00.000Z'],
    ['without seconds', '2026-07-15T09:00', 'Asia/Kathmandu', '2026-07-15T03:15:00.000Z'],
    ['finer than a millisecond', '2026-07-15T09:00:00.123987Z', null, '2026-07-15T09:00:00.123Z'],
    ['far finer than a millisecond', `2026-07-15T09:00:00.1239${'0'.repeat(40)}Z`, null, '2026-07-15T09:00:00.123Z'],
  ])('%s', (_, text, timezone, instant) => {
    expect(opens(text, timezone)).toBe(instant);
  });

  it.each(['0001-01-01T00:00:00+01:00', '9999-12-31T23:30:00-01:00'])('outside the years 0001 to 9999 in UTC is refused: %s', (text) => {
    expect(() => opens(text)).toThrow('opens_at: must be a date-time between the years 0001 and 9999');
  });
});

describe('a patch', () => {
  const before = { opens_at: new Date('2026-06-01T08:00:00Z'), closes_at: new Date('2026-06-30T08:00:00Z'), timezone: 'Europe/Berlin' };

  it('uses the time zone in the same patch', () => {
    expect(openingTimes(before, { opens_at: '2026-06-01T09:00:00', timezone: 'Asia/Tokyo' }).opens_at).toEqual(
      new Date('2026-06-01T00:00:00Z'),
    );
    expect(openingTimes(before, { opens_at: '2026-06-01T09:00:00', timezone: null }).opens_at).toEqual(new Date('2026-06-01T09:00:00Z'));
  });

  it('keeps stored times when only the time zone changes', () => {
    expect(openingTimes(before, { timezone: 'Asia/Tokyo' })).toEqual({});
  });

  it('clears with null', () => {
    expect(openingTimes(before, { opens_at: null, closes_at: null })).toEqual({ opens_at: null, closes_at: null });
  });

  it('is refused, with the name of the field, if the form would close before it opens', () => {
    expect(() => openingTimes(before, { closes_at: '2026-06-01T08:00:00Z' })).toThrow('closes_at: must be after opens_at');
    expect(() => openingTimes(before, { opens_at: '2026-06-30T10:00:00' })).toThrow('opens_at: must be before closes_at');
    expect(() => openingTimes(before, { opens_at: '2026-08-01T00:00:00Z', closes_at: '2026-07-01T00:00:00Z' })).toThrow(
      'closes_at: must be after opens_at',
    );
  });
});

it.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['local', false],
  ['', false],
])('knows whether %s is a time zone', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});
