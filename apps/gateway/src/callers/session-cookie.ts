import { Problem, urlIn } from '@sheaf/kernel';
import type { CookieOptions, Request, Response } from 'express';

/**
 * With this prefix, browsers accept the cookie only if this exact host set it over TLS. Without TLS they would reject it, hence
 * `plainName`.
 */
const secureName = '__Host-sheaf_session';
const plainName = 'sheaf_session';

const secureValue = new RegExp(`(?:^|;) *${secureName}=([^;]*)`);
const plainValue = new RegExp(`(?:^|;) *${plainName}=([^;]*)`);

/** The session token in the cookie of a browser that signed in with `"cookie": true`. */
export function sessionCookie(request: Request): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : (request.secure ? secureValue : plainValue).exec(cookie)?.[1];
}

/** Stores the session in the browser, where no script can read it. */
export function setSessionCookie({ request, response }: Exchange, { token, expires_at }: { token: string; expires_at: string }): void {
  response.cookie(nameFor(request), token, { ...attributes(request), expires: new Date(expires_at) });
}

/** Removes the session from the browser, if it has one. */
export function clearSessionCookie({ request, response }: Exchange): void {
  if (sessionCookie(request) !== undefined) response.clearCookie(nameFor(request), attributes(request));
}

interface Exchange {
  request: Request;
  response: Response;
}

const nameFor = (request: Request): string => (request.secure ? secureName : plainName);
const attributes = (request: Request): CookieOptions => ({ httpOnly: true, sameSite: 'lax', secure: request.secure, path: '/' });

/**
 * Browsers also attach cookies to requests that other sites trigger, so a request that changes something must come from a page of this
 * origin (CSRF).
 * @throws Problem `forbidden`
 */
export function requireSameOrigin(request: Request): void {
  if (request.method !== 'GET' && request.method !== 'HEAD' && originOf(request) !== 'same') {
    throw Problem.forbidden('Requests that use a session cookie must come from a page of this origin.');
  }
}

/**
 * Pages of other origins must not sign a browser in; otherwise its user would unknowingly work in somebody else's account (login CSRF).
 * Clients other than browsers send no origin and are allowed.
 * @throws Problem `forbidden`
 */
export function refuseCrossOrigin(request: Request): void {
  if (originOf(request) === 'other') throw Problem.forbidden('Requests to sign in with a cookie must come from a page of this origin.');
}

function originOf(request: Request): 'same' | 'other' | 'unknown' {
  const { 'sec-fetch-site': site, origin, host = '' } = request.headers;
  if (site !== undefined) return site === 'same-origin' ? 'same' : 'other';
  if (origin === undefined) return 'unknown';
  // Parsed, because a Host header may name the default port, which an origin leaves out.
  const requestOrigin = `${request.protocol}://${host}`;
  return urlIn(requestOrigin)?.origin === origin.toLowerCase() ? 'same' : 'other';
}
