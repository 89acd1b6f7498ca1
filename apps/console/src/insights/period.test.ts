import { bucketsOf, dayIn, mostDaysEarlier, partsOf, plusDays, scaleFor, shortened, spanOf, unitFor } from './period';

const days = (from: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ date: plusDays(from, n), submissions: 1, views: 3, starts: 2, completions: 1 }));

describe('the period of an address', () => {
  it.each([
    [{}, { from: '2026-05-02', to: '2026-05-31' }],
    [{ range: '7d' }, { from: '2026-05-25', to: '2026-05-31' }],
    [{ range: 'all' }, { from: '2024-03-01', to: '2026-05-31' }],
    [
      { range: 'custom', from: '2026-01-01', to: '2026-01-31' },
      { from: '2026-01-01', to: '2026-01-31' },
    ],
    [
      { range: 'custom', from: '2026-02-01', to: '2026-01-31' },
      { from: '2026-01-31', to: '2026-02-01' },
    ],
    [
      { range: 'custom', to: '2026-01-31' },
      { from: '2026-01-02', to: '2026-01-31' },
    ],
    [
      { range: 'custom', from: '31.1.2026' },
      { from: '2026-05-02', to: '2026-05-31' },
    ],
    [{ range: 'forever' }, { from: '2026-05-02', to: '2026-05-31' }],
  ])('of %j is %j', (search, span) => expect(spanOf(search, '2026-05-31', '2024-03-01')).toEqual(span));

  it('begins with the day of the form’s time zone', () => {
    expect([dayIn('2026-05-31T20:00:00Z', 'Asia/Tokyo'), dayIn('2026-05-31T20:00:00Z', 'UTC')]).toEqual(['2026-06-01', '2026-05-31']);
  });

  it('is asked for at once, and of an earlier release in parts of at most 366 days, without a gap', () => {
    const twoYears = { from: '2024-01-01', to: '2026-01-01' };
    expect(partsOf(twoYears)).toEqual([twoYears]);
    expect(partsOf(twoYears, mostDaysEarlier)).toEqual([
      { from: '2024-01-01', to: '2024-12-31' },
      { from: '2025-01-01', to: '2026-01-01' },
    ]);
  });

  it('is asked for in two parts at most, of its last twenty years', () => {
    expect(partsOf({ from: '0002-01-01', to: '2026-01-08' })).toEqual([
      { from: '2005-12-25', to: '2016-01-01' },
      { from: '2016-01-02', to: '2026-01-08' },
    ]);
  });

  it('fits into one request, its last ten years if it is longer', () => {
    expect(shortened({ from: '2020-01-01', to: '2026-01-01' })).toEqual({ from: '2020-01-01', to: '2026-01-01' });
    expect(shortened({ from: '0002-01-01', to: '2026-01-08' })).toEqual({ from: '2016-01-02', to: '2026-01-08' });
  });
});

describe('the columns of the chart', () => {
  it('are days, then weeks, then months', () =>
    expect([30, 93, 94, 365, 700].map(unitFor)).toEqual(['day', 'day', 'week', 'week', 'month']));

  it('count every day once', () => {
    for (const unit of ['day', 'week', 'month'] as const) {
      const buckets = bucketsOf(days('2026-01-01', 100), unit);
      expect(buckets.reduce((sum, { submissions }) => sum + submissions, 0)).toBe(100);
      expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual(['2026-01-01', '2026-04-10']);
    }
  });

  it('begin a week on Monday', () => {
    expect(bucketsOf(days('2026-01-03', 4), 'week')).toEqual([
      { from: '2026-01-03', to: '2026-01-04', submissions: 2, views: 6, starts: 4, completions: 2 },
      { from: '2026-01-05', to: '2026-01-06', submissions: 2, views: 6, starts: 4, completions: 2 },
    ]);
  });
});

describe('the scale beside the chart', () => {
  it.each([
    [0, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('up to %d has the steps %j', (highest, steps) => {
    expect(scaleFor(highest).steps).toEqual(steps);
  });
});
