/** The clock and the chance that a client depends on, so that tests need not wait. */
export interface Time {
  /** Milliseconds since 1970. */
  now: () => number;
  /** At least 0 and less than 1. */
  random: () => number;
  /** Rejects with the signal's reason as soon as it is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemTime: Time = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        if (signal?.aborted) reject(signal.reason as Error);
        else resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
      if (signal?.aborted) wake();
    }),
};
