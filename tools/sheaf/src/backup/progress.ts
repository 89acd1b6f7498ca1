import { setInterval, clearInterval } from 'node:timers';

/** Tells the operator how far a long command is. */
export interface Progress {
  step(name: string): void;
  /** @param of how much there is, if it is known */
  at(bytes: number, of?: number): void;
  end(): void;
}

const everyMs = 5_000;

/** A line for each step, and every few seconds one that says how far it is: readable in the log of a cron job, too. */
export function printedProgress(print: (line: string) => void): Progress {
  let now: { name: string; bytes: number; of: number } | undefined;
  const timer = setInterval(() => {
    if (now && now.bytes > 0) print(`  … ${size(now.bytes)}${now.of > 0 ? ` of about ${size(Math.max(now.of, now.bytes))}` : ''}`);
  }, everyMs);
  timer.unref();
  return {
    step(name) {
      now = { name, bytes: 0, of: 0 };
      print(name);
    },
    at(bytes, of = 0) {
      if (now) Object.assign(now, { bytes, of });
    },
    end: () => clearInterval(timer),
  };
}

export const silentProgress: Progress = { step: () => undefined, at: () => undefined, end: () => undefined };

/** The same, which also ends the work once the operator wants to stop: `at` throws. */
export const stoppable = (progress: Progress, signal: AbortSignal): Progress => ({
  ...progress,
  at(bytes, of) {
    signal.throwIfAborted();
    progress.at(bytes, of);
  },
});

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** `1536000` as `1.5 MB`. */
export function size(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power] ?? ''}`;
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
