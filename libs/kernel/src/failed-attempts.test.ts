import { afterFailure } from './failed-attempts';

const now = new Date('2026-06-01T12:00:00.000Z');
const seconds = (date: Date | null) => (date === null ? undefined : (date.getTime() - now.getTime()) / 1_000);
const failed = (failures: number) => {
  const { blocked_until, expires_at } = afterFailure({ failures, blocked_until: null, expires_at: now }, 10, now, 900_000);
  return { wait: seconds(blocked_until), counted: seconds(expires_at) };
};

describe('the wait after a failed attempt', () => {
  it('begins at the limit and doubles up to the window', () => {
    expect(failed(0)).toEqual({ wait: undefined, counted: 900 });
    expect(failed(8)).toEqual({ wait: undefined, counted: 0 });
    expect([9, 10, 11, 12, 13, 14, 15, 5_000].map((failures) => failed(failures).wait)).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });
});
