import type { IncomingHttpHeaders } from 'node:http';

/**
 * How long a server asks us to wait (RFC 9110, 10.2.3): a number of seconds, or a date. A date is compared with the server's own clock where the answer
 * has it, because ours may differ. @returns undefined if the header is missing or malformed.
 */
export function retryAfterMs({ 'retry-after': after, date }: IncomingHttpHeaders, now: Date): number | undefined {
  if (after === undefined) return undefined;
  if (/^\d{1,10}$/.test(after)) return Number(after) * 1_000;
  const until = httpDate(after);
  return until === undefined ? undefined : Math.max(0, until - (httpDate(date) ?? now.getTime()));
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`. `Date.parse` alone takes much else for a date. */
function httpDate(text = ''): number | undefined {
  const time = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
