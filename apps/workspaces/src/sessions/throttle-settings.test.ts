import { z } from 'zod';
import { throttleSettings } from './throttle-settings';

it('the default limits are lowest for one account from one address', () => {
  expect(z.object(throttleSettings).parse({})).toEqual({
    SIGN_IN_FAILURES: 10,
    SIGN_IN_FAILURES_PER_ADDRESS: 50,
    SIGN_IN_FAILURES_PER_ACCOUNT: 100,
    SIGN_IN_WINDOW_MS: 15 * 60 * 1_000,
  });
});
