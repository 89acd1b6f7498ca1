/** Failed attempts to guess a secret, counted under a key. */
export interface FailedAttempts {
  failures: number;
  blocked_until: Date | null;
  expires_at: Date;
}

const firstWaitMs = 30_000;

/** With one more failure. From the limit on, each failure doubles the wait, up to the window. */
export function afterFailure<T extends FailedAttempts>(before: T, limit: number, now: Date, windowMs: number): T {
  const failures = before.failures + 1;
  const after = (ms: number) => new Date(now.getTime() + ms);
  if (failures < limit) return { ...before, failures, expires_at: before.failures === 0 ? after(windowMs) : before.expires_at };
  // The cap on the exponent exceeds the longest possible window.
  const waitMs = Math.min(windowMs, firstWaitMs * 2 ** Math.min(failures - limit, 14));
  return { ...before, failures, blocked_until: after(waitMs), expires_at: after(windowMs) };
}
