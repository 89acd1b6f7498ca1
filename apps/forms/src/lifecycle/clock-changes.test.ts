import { Settings } from 'luxon';
import { openingTimes } from './opening-times';

// Local times around clock changes. Guesses of libraries depend on the current offset, so each case runs at several times: before and after
// the change itself, and in both seasons. The result must always be the same.

const zones: Record<
  string,
  { now: readonly string[]; times: readonly (readonly [what: string, local: string, instantOrFault: string])[] }
> = {
  'Europe/Vienna': {
    now: [
      '2026-01-15T00:00:00Z',
      '2026-07-15T00:00:00Z',
      '2026-03-29T00:59:59.999Z',
      '2026-03-29T01:00:00Z',
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:30:00Z',
    ],
    times: [
      ['the last moment before the gap', '2026-03-29T01:59:59.999', '2026-03-29T00:59:59.999Z'],
      ['the first moment of the gap', '2026-03-29T02:00:00', 'does not occur in'],
      ['a time in the gap', '2026-03-29T02:30:00', 'does not occur in'],
      ['the last moment of the gap', '2026-03-29T02:59:59.999', 'does not occur in'],
      ['the first moment after the gap', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
      ['the last moment before the repeated period', '2026-10-25T01:59:59.999', '2026-10-24T23:59:59.999Z'],
      ['the first moment of the repeated period', '2026-10-25T02:00:00', 'occurs twice in'],
      ['the last moment of the repeated period', '2026-10-25T02:59:59.999', 'occurs twice in'],
      ['an offset selects the later one', '2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000Z'],
      ['an offset selects the earlier one', '2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00.000Z'],
      ['the first moment after the repeated period', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    ],
  },
  'America/New_York': {
    now: [
      '2026-01-15T00:00:00Z',
      '2026-07-15T00:00:00Z',
      '2026-03-08T06:59:59Z',
      '2026-03-08T07:00:00Z',
      '2026-11-01T05:30:00Z',
      '2026-11-01T06:30:00Z',
    ],
    times: [
      ['the last moment before the gap', '2026-03-08T01:59:59.999', '2026-03-08T06:59:59.999Z'],
      ['a time in the gap', '2026-03-08T02:15:00', 'does not occur in'],
      ['the first moment after the gap', '2026-03-08T03:00:00', '2026-03-08T07:00:00.000Z'],
      ['the last moment before the repeated period', '2026-11-01T00:59:59.999', '2026-11-01T04:59:59.999Z'],
      ['a time that occurs twice', '2026-11-01T01:15:00', 'occurs twice in'],
      ['an offset selects the later one', '2026-11-01T01:15:00-05:00', '2026-11-01T06:15:00.000Z'],
      ['the first moment after the repeated period', '2026-11-01T02:00:00', '2026-11-01T07:00:00.000Z'],
    ],
  },
  // A change of half an hour, in the southern hemisphere.
  'Australia/Lord_Howe': {
    now: [
      '2026-01-15T00:00:00Z',
      '2026-07-15T00:00:00Z',
      '2026-04-04T14:45:00Z',
      '2026-04-04T15:15:00Z',
      '2026-10-03T15:29:59Z',
      '2026-10-03T15:30:00Z',
    ],
    times: [
      ['the last moment before the repeated period', '2026-04-05T01:29:59.999', '2026-04-04T14:29:59.999Z'],
      ['the first moment of the repeated period', '2026-04-05T01:30:00', 'occurs twice in'],
      ['a time that occurs twice', '2026-04-05T01:45:00', 'occurs twice in'],
      ['an offset selects the later one', '2026-04-05T01:45:00+10:30', '2026-04-04T15:15:00.000Z'],
      ['the first moment after the repeated period', '2026-04-05T02:00:00', '2026-04-04T15:30:00.000Z'],
      ['the last moment before the gap', '2026-10-04T01:59:59.999', '2026-10-03T15:29:59.999Z'],
      ['a time in the gap', '2026-10-04T02:15:00', 'does not occur in'],
      ['the first moment after the gap', '2026-10-04T02:30:00', '2026-10-03T15:30:00.000Z'],
    ],
  },
  // Clocks are set back for Ramadan and forward again after it.
  'Africa/Casablanca': {
    now: [
      '2026-01-15T00:00:00Z',
      '2026-02-15T01:30:00Z',
      '2026-02-15T02:30:00Z',
      '2026-03-01T00:00:00Z',
      '2026-03-22T01:59:59Z',
      '2026-03-22T02:00:00Z',
    ],
    times: [
      ['the last moment before the repeated period', '2026-02-15T01:59:59.999', '2026-02-15T00:59:59.999Z'],
      ['a time that occurs twice', '2026-02-15T02:30:00', 'occurs twice in'],
      ['the first moment after the repeated period', '2026-02-15T03:00:00', '2026-02-15T03:00:00.000Z'],
      ['in Ramadan', '2026-03-01T09:00:00', '2026-03-01T09:00:00.000Z'],
      ['the last moment before the gap', '2026-03-22T01:59:59.999', '2026-03-22T01:59:59.999Z'],
      ['a time in the gap', '2026-03-22T02:30:00', 'does not occur in'],
      ['the first moment after the gap', '2026-03-22T03:00:00', '2026-03-22T02:00:00.000Z'],
      ['after Ramadan', '2026-03-23T09:00:00', '2026-03-23T08:00:00.000Z'],
    ],
  },
  // Crossed the date line: 30 December did not occur.
  'Pacific/Apia': {
    now: ['2011-07-15T00:00:00Z', '2011-12-30T09:59:59Z', '2011-12-30T10:00:00Z', '2026-01-15T00:00:00Z', '2026-07-15T00:00:00Z'],
    times: [
      ['the last moment before the skipped day', '2011-12-29T23:59:59.999', '2011-12-30T09:59:59.999Z'],
      ['the first moment of the skipped day', '2011-12-30T00:00:00', 'does not occur in'],
      ['a time in the skipped day', '2011-12-30T10:00:00', 'does not occur in'],
      ['the last moment of the skipped day', '2011-12-30T23:59:59.999', 'does not occur in'],
      ['the first moment after the skipped day', '2011-12-31T00:00:00', '2011-12-30T10:00:00.000Z'],
      ['a time on the next day', '2011-12-31T10:00:00', '2011-12-30T20:00:00.000Z'],
      ['a time today, without daylight saving', '2026-01-15T10:00:00', '2026-01-14T21:00:00.000Z'],
    ],
  },
};

afterEach(() => {
  Settings.now = () => Date.now();
});

describe.each(Object.entries(zones))('in %s', (timezone, { now, times }) => {
  describe.each(now)('computed at %s', (moment) => {
    it.each(times)('%s: %s', (_, local, outcome) => {
      Settings.now = () => Date.parse(moment);
      const read = () => openingTimes({ opens_at: null, closes_at: null, timezone }, { opens_at: local }).opens_at?.toISOString();
      if (outcome.endsWith('Z')) expect(read()).toBe(outcome);
      else expect(read).toThrow(new RegExp(`^opens_at: [^ ]+ ${outcome} ${timezone}, `));
    });
  });
});

describe('a form that closes when clocks change', () => {
  const form = { opens_at: null, closes_at: null, timezone: 'Europe/Vienna' };

  it('may be open for the repeated hour', () => {
    expect(openingTimes(form, { opens_at: '2026-10-25T02:00:00+02:00', closes_at: '2026-10-25T02:00:00+01:00' })).toEqual({
      opens_at: new Date('2026-10-25T00:00:00Z'),
      closes_at: new Date('2026-10-25T01:00:00Z'),
    });
  });

  it('is told which offsets a time that occurs twice may have, and that another does not occur', () => {
    expect(() => openingTimes(form, { closes_at: '2026-10-25T02:30:00' })).toThrow(
      'closes_at: 2026-10-25T02:30:00 occurs twice in Europe/Vienna, where clocks are set back; add the offset +02:00 or +01:00, or choose another time',
    );
    expect(() => openingTimes(form, { closes_at: '2026-03-29T02:30:00' })).toThrow(
      'closes_at: 2026-03-29T02:30:00 does not occur in Europe/Vienna, where clocks are set forward; choose another time',
    );
  });
});
