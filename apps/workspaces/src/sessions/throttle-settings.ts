import { whole } from '@sheaf/runtime';

/** The number of failed sign-in attempts before the next one has to wait. */
export const throttleSettings = {
  /** For one account from one address. */
  SIGN_IN_FAILURES: whole(1, 1_000).default(10),
  /** From one address, whatever the account. */
  SIGN_IN_FAILURES_PER_ADDRESS: whole(1, 1_000_000).default(50),
  /** For one account, from all addresses where it has not signed in lately. */
  SIGN_IN_FAILURES_PER_ACCOUNT: whole(1, 1_000_000).default(100),
  /** The period over which failures are counted; also the longest wait. */
  SIGN_IN_WINDOW_MS: whole(1_000, 86_400_000).default(900_000),
};

export type ThrottleSettings = Record<keyof typeof throttleSettings, number>;
