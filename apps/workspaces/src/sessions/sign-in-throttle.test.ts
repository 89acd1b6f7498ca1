import { z } from 'zod';
import { afterFailure } from './sign-in-throttle';
import { throttleSettings } from './throttle-settings';

const now = new Date('2026-06-01T12:00:00.000Z');
const seconds = (date: Date | null) => (date === null ? undefined : (date.getTime() - now.getTime()) / 1_000);
const failed = (failures: number) => {
  const { blocked_until, expires_at } = afterFailure(
    { key: Buffer.alloc(0), failures, blocked_until: null, expires_at: now },
    10,
    now,
    900_000,
  );
  return { wait: seconds(blocked_until), counted: seconds(expires_at) };
};

it('the default limits are lowest for one account from one address', () => {
  expect(z.object(throttleSettings).parse({})).toEqual({
    SIGN_IN_FAILURES: 10,
    SIGN_IN_FAILURES_PER_ADDRESS: 50,
    SIGN_IN_FAILURES_PER_ACCOUNT: 100,
    SIGN_IN_WINDOW_MS: 15 * 60 * 1_000,
  });
});

describe('the wait after a failed attempt', () => {
  it('begins at the limit and doubles up to the window', () => {
    expect(failed(0)).toEqual({ wait: undefined, counted: 900 });
    expect(failed(8)).toEqual({ wait: undefined, counted: 0 });
    expect([9, 10, 11, 12, 13, 14, 15, 5_000].map((failures) => failed(failures).wait)).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });
});
