import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Posted } from './posted';
import { urlIn } from '@sheaf/kernel';
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

/**
 * The controls of a page that was sent, for a page of ours that sends them again. The browser then says that our page sends, so what proves something
 * may only be among them if it did before: a token decides under which key answers are sent and saved, a place who may read what was entered.
 */
export function provenControls(
  deps: Deps,
  visit: Pick<Visit, 'asked'>,
  { request, form, posted }: { request: Request; form: string; posted: Posted },
): readonly (readonly [name: string, value: string])[] {
  const isOurPage = isOurs(deps, visit, form, posted, request);
  const isKept = (name: string) => (name === 'place' ? senderOf(request) === 'us' : isOurPage || !proofs.has(name));
  return [...posted.entries()].flatMap(([name, values]) => (isKept(name) ? values.map((value) => [name, value] as const) : []));
}

const proofs: ReadonlySet<string> = new Set(['token', 'here', 'saved', 'saves_as']);

function senderOf({ headers }: Request): 'us' | 'another site' | 'unknown' {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return 'us';
  if (origin === 'null') return 'unknown';
  if (site !== undefined) return 'another site';
  return origin === undefined || urlIn(origin)?.host === host ? 'us' : 'unknown';
}

/** Whether the browser says that it shows the page inside another one. */
export const isInFrame = ({ headers }: Request): boolean =>
  ['iframe', 'frame', 'embed', 'object'].includes(headers['sec-fetch-dest'] ?? '');

/**
 * Whether an address was opened that somebody passed on or typed. Back, Forward and Reload come from the page before, as the form itself
 * does; in a sandboxed frame that is another site.
 */
export function isOpenedElsewhere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  return headers['sec-fetch-dest'] === 'document' && site !== undefined && site !== 'same-origin';
}

/** Whether the browser says that one of our pages led to an address. */
export const isFromUs = ({ headers }: Request): boolean => headers['sec-fetch-site'] === 'same-origin';

/**
 * Whether an address may show what was entered. A browser that says that the form itself led there is believed. One that cannot say so, as
 * in a sandboxed frame, has to be the client for which the address was made: programs that look at links say nothing either.
 */
export const opensFor = (visit: Pick<Visit, 'asked'>, request: Request, client: string | undefined): boolean =>
  isFromUs(request) || (!isOpenedElsewhere(request) && client === clientOf(visit, request));

/** A client as far as we can tell it from others: its IP address and its program. It is short, as it travels in addresses. */
export const clientOf = ({ asked }: Pick<Visit, 'asked'>, { headers }: Request): string =>
  createHash('sha256')
    .update(JSON.stringify([asked.call.address, headers['user-agent']]))
    .digest()
    .subarray(0, 12)
    .toString('base64url');
