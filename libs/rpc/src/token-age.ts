import type { Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import type { OnTokenAge } from './caller-token';

/** Older observations are forgotten, so that a corrected clock is reported as correct. */
const windowMs = 300_000;

interface Seen {
  at: number;
  seconds: number;
}

/**
 * Reports the age of caller tokens when they are first seen here. A token is used for 30 s, so an age outside 0 to 30 s means that two clocks
 * differ.
 */
export function watchTokenAge({ metrics }: Pick<Process, 'metrics'>, now: () => number = Date.now): OnTokenAge {
  const youngest = new Map<string, Seen>();
  const oldest = new Map<string, Seen>();
  const keep = (extremes: Map<string, Seen>, issuer: string, seen: Seen, isBeyond: (one: number, other: number) => boolean) => {
    const known = extremes.get(issuer);
    if (!known || seen.at - known.at > windowMs || isBeyond(seen.seconds, known.seconds)) extremes.set(issuer, seen);
  };
  new Gauge({
    name: 'sheaf_caller_token_age_seconds',
    help: 'Age of the youngest and the oldest caller token of the last minutes when it was first seen, by issuer. Outside 0 to 30, a clock is wrong.',
    labelNames: ['issuer', 'of'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [of, extremes] of [
        ['youngest', youngest],
        ['oldest', oldest],
      ] as const) {
        for (const [issuer, { at, seconds }] of extremes) if (now() - at <= windowMs) this.set({ issuer, of }, seconds);
      }
    },
  });
  return (issuer, seconds) => {
    const seen = { at: now(), seconds };
    keep(youngest, issuer, seen, (one, other) => one < other);
    keep(oldest, issuer, seen, (one, other) => one > other);
  };
}
