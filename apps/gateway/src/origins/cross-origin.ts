import { Problem, urlIn } from '@sheaf/kernel';
import type { Request, Response } from 'express';

/** The response headers that scripts from other origins may read. */
const exposed = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
/**
 * The request headers that these scripts may send: any, as pages with monitoring add some to every request and could submit nothing otherwise. Some
 * browsers take the asterisk for a name, so that common ones are named.
 */
const accepted =
  'Content-Type, Idempotency-Key, Access-Code, X-Request-Id, traceparent, tracestate, baggage, sentry-trace, X-Requested-With, *';
/** The longest time for which a browser caches a preflight (Firefox; Chromium caches it for two hours). */
const maxAgeSeconds = 86_400;

const isOpen = (path: string): boolean => path.startsWith('/public/v1/') || path.startsWith('/.well-known/');

/**
 * Opens the routes that need no credential, and only those, to scripts from every origin (CORS). Credentials are never allowed, because
 * none of these routes uses cookies.
 * @returns whether the request was a preflight, which is then answered.
 */
export function crossOrigin(request: Request, response: Response): boolean {
  if (!isOpen(request.url)) return false;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', exposed);
  if (request.method !== 'OPTIONS') return false;
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST');
  response.setHeader('Access-Control-Allow-Headers', accepted);
  response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
  response.statusCode = 204;
  response.end();
  return true;
}

/**
 * Makes a call for a respondent's request, with the origin of the site whose script sent it, and lets that site read the response unless
 * `submissions` refuses it. Pages of the request's own host are no other site.
 */
export async function forSite<T>(request: Request, response: Response, call: (origin: string | undefined) => Promise<T>): Promise<T> {
  const origin = siteOf(request);
  if (origin !== undefined) {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.vary('Origin');
  }
  try {
    return await call(origin);
  } catch (thrown) {
    const { code, message, details } = Problem.from(thrown);
    if (code !== 'forbidden' || !details) throw thrown;
    if (details.some(({ key }) => key === 'Origin')) response.removeHeader('Access-Control-Allow-Origin');
    // Only 400 has details.
    throw Problem.forbidden(message);
  }
}

/**
 * Refuses pages of other sites, also of one whose name has come to lead to this server (DNS rebinding). Programs send no origin.
 * @throws Problem `forbidden`
 */
export function refuseOtherOrigins({ headers: { origin, host = '' } }: Request): void {
  if (origin !== undefined && !isOwnOrigin(origin, host)) throw Problem.forbidden('Origin: must be absent, or that of this server.');
}

function siteOf({ headers: { origin, host = '' } }: Request): string | undefined {
  if (origin === undefined || isOwnOrigin(origin, host)) return undefined;
  // Browsers send `null` for documents without an origin; nothing else that is unreadable can be on a form's list either.
  return /^[\x21-\x7e]{1,300}$/.test(origin) ? origin : 'null';
}

/** Compares hosts and ports only, because a proxy in front may have ended TLS without saying so. */
function isOwnOrigin(origin: string, host: string): boolean {
  const here = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  const from = urlIn(origin);
  return from !== undefined && from.host === urlIn(here)?.host;
}
