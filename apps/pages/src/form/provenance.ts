import type { Request } from 'express';
import type { Posted } from './posted';
import type { Deps, Visit } from './visit';

/**
 * Whether our own page sent what arrived. Another site could make a browser send a token of its own, and show the respondent a page whose
 * answers it can ask for later. A browser that says which site sends is believed. One that does not, such as in a sandboxed frame, whose
 * origin is "null", or behind a proxy that changes the host, has to have got its page at the address that it sends from.
 */
export function isOurs({ tokens }: Deps, { asked }: Pick<Visit, 'asked'>, formId: string, posted: Posted, request: Request): boolean {
  const token = posted.get('token') ?? '';
  if (!tokens.isPage(formId, token)) return false;
  const sender = senderOf(request);
  return sender === 'us' || (sender === 'unknown' && tokens.isHere(token, asked.call.address ?? '', posted.get('here') ?? ''));
}

function senderOf({ headers }: Request): 'us' | 'another site' | 'unknown' {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return 'us';
  if (origin === 'null') return 'unknown';
  if (site !== undefined) return 'another site';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host) ? 'us' : 'unknown';
}

/** Whether the browser says that it shows the page inside another one. */
export const isInFrame = ({ headers }: Request): boolean =>
  ['iframe', 'frame', 'embed', 'object'].includes(headers['sec-fetch-dest'] ?? '');

/**
 * Whether an address was opened that somebody passed on or typed. Back, Forward and Reload come from the page before, as the form itself
 * does; in a sandboxed frame that is another site, but nobody is sent there by an address.
 */
export function isOpenedElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return headers['sec-fetch-dest'] === 'document' && site !== undefined && site !== 'same-origin';
}
