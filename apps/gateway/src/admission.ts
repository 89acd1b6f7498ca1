import { randomUUID } from 'node:crypto';
import { Problem } from '@sheaf/kernel';
import type { NextFunction, Request, Response } from 'express';
import { crossOrigin } from './cross-origin';
import { hostNamed } from './host';
import type { Rates } from './rates';

/** What is known of a request that was let in. */
export interface Admitted {
  requestId: string;
  /** The client's address. */
  address: string | undefined;
  /** The host that it came to; undefined where it names none. */
  host: string | undefined;
}

export interface AdmissionSettings {
  HSTS_MAX_AGE_SECONDS: number;
}

/**
 * The first phase of every request, whatever it asks for: it gets its id and the headers that every answer has, a preflight is answered, and
 * a client that asks too often and a host that is not one are refused. Nothing is looked up and no body is read before.
 */
export function admission({ settings, rates }: { settings: AdmissionSettings; rates: Rates }) {
  const hsts = settings.HSTS_MAX_AGE_SECONDS === 0 ? undefined : `max-age=${settings.HSTS_MAX_AGE_SECONDS}`;

  return function admit(request: Request, response: Response, next: NextFunction): void {
    const requestId = requestIdOf(request);
    const admitted: Admitted = { requestId, address: undefined, host: undefined };
    response.locals.admitted = admitted;
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // The cheap question first: to find out the scheme behind a proxy means to parse an address.
    if (hsts !== undefined && request.headers['x-forwarded-proto'] !== undefined && request.secure) response.setHeader('Strict-Transport-Security', hsts);
    if (crossOrigin(request, response)) return;

    admitted.address = withoutPort(request.ip);
    rates.byAddress(admitted.address, response);
    const { host } = request.headers;
    if (host === undefined) return next();
    // Node takes the first one; a proxy in front may have taken the other (RFC 9112, section 3.2).
    if (hostsIn(request.rawHeaders) > 1) throw Problem.badRequest('Host: must be given once');
    admitted.host = hostNamed(host);
    next();
  };
}

function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** Some proxies write the client's port behind its address into X-Forwarded-For, and an IPv6 address into brackets. */
const withoutPort = (address: string | undefined): string | undefined => address?.replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');

export const admittedAs = (response: Response): Admitted => response.locals.admitted as Admitted;

// One that a proxy in front of us gave is kept, so that the client's request has one name everywhere.
function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}
