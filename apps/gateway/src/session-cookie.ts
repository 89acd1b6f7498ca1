import { Problem } from '@sheaf/kernel';
import type { CookieOptions, Request, Response } from 'express';

/** The prefix makes browsers refuse the cookie unless this very host set it over TLS. Without TLS they would refuse it as a whole. */
const secureName = '__Host-sheaf_session';
const plainName = 'sheaf_session';

const secureValue = new RegExp(`(?:^|;) *${secureName}=([^;]*)`);
const plainValue = new RegExp(`(?:^|;) *${plainName}=([^;]*)`);

/** The session token in the cookie of a browser that signed in with `"cookie": true`. */
export function sessionCookie(request: Request): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : (request.secure ? secureValue : plainValue).exec(cookie)?.[1];
}

/** Hands a session to the browser, where no script can read it. */
export function giveSessionCookie({ request, response }: Exchange, { token, expires_at }: { token: string; expires_at: string }): void {
  response.cookie(nameFor(request), token, { ...attributes(request), expires: new Date(expires_at) });
}

/** Takes the session back from the browser, if it has one. */
export function takeSessionCookie({ request, response }: Exchange): void {
  if (sessionCookie(request) !== undefined) response.clearCookie(nameFor(request), attributes(request));
}

interface Exchange {
  request: Request;
  response: Response;
}

const nameFor = (request: Request): string => (request.secure ? secureName : plainName);
const attributes = (request: Request): CookieOptions => ({ httpOnly: true, sameSite: 'lax', secure: request.secure, path: '/' });

/**
 * A browser sends its cookies along with what other sites make it send, so a request that changes something has to come from a page of this
 * very origin.
 * @throws Problem `forbidden`
 */
export function demandOwnOrigin(request: Request): void {
  if (request.method !== 'GET' && request.method !== 'HEAD' && comesFrom(request) !== 'here') {
    throw Problem.forbidden('A request that is authenticated by a cookie must come from a page of this origin.');
  }
}

/**
 * A page of another origin must not sign a browser in: its owner would type into somebody else's account. What is not a browser names no origin.
 * @throws Problem `forbidden`
 */
export function refuseOtherOrigins(request: Request): void {
  if (comesFrom(request) === 'elsewhere') throw Problem.forbidden('Signing in with a cookie must come from a page of this origin.');
}

function comesFrom(request: Request): 'here' | 'elsewhere' | 'nowhere' {
  const { 'sec-fetch-site': site, origin, host = '' } = request.headers;
  if (site !== undefined) return site === 'same-origin' ? 'here' : 'elsewhere';
  if (origin === undefined) return 'nowhere';
  return origin.toLowerCase() === `${request.protocol}://${host}`.toLowerCase() ? 'here' : 'elsewhere';
}
