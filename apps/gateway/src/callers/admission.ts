import { randomUUID } from 'node:crypto';
import { Problem, readRequestId } from '@sheaf/kernel';
import type { NextFunction, Request, Response } from 'express';
import { crossOrigin } from '../origins/cross-origin';
import { parseHost } from '../origins/host';
import type { Rates } from './rates';

/** The facts about a request that admission established. */
export interface Admitted {
  requestId: string;
  /** The client's address. */
  address: string | undefined;
  /** The host that the request names, if any. */
  host: string | undefined;
  /** The path of the route that answers, once it is known. */
  route: string | undefined;
  instanceId: string | undefined;
  /** The form that the path names. */
  formId: string | undefined;
  /** The kind of credential by which the caller was identified. */
  who: 'key' | 'session' | 'none';
}

export interface AdmissionSettings {
  HSTS_MAX_AGE_SECONDS: number;
}

/**
 * The first phase of every request: assigns its id, sets the common response headers, answers preflights, and rejects clients over their
 * rate limit and invalid hosts. It runs before any lookup and before the body is read.
 */
export function admission({ settings, rates }: { settings: AdmissionSettings; rates: Rates }) {
  const hsts = settings.HSTS_MAX_AGE_SECONDS === 0 ? undefined : `max-age=${settings.HSTS_MAX_AGE_SECONDS}`;

  return function admit(request: Request, response: Response, next: NextFunction): void {
    const requestId = requestIdOf(request);
    const admitted = admittedAs(requestId);
    response.locals.admitted = admitted;
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // The cheap check comes first, because `request.secure` parses an address to decide whether to trust the proxy.
    if (hsts !== undefined && request.headers['x-forwarded-proto'] !== undefined && request.secure)
      response.setHeader('Strict-Transport-Security', hsts);
    if (crossOrigin(request, response)) return;

    admitted.address = withoutPort(request.ip);
    rates.byAddress(admitted.address, response);
    const { host } = request.headers;
    if (host === undefined) return next();
    // Node uses the first Host header; a proxy in front may have used another (RFC 9112, section 3.2).
    if (countHosts(request.rawHeaders) > 1) throw Problem.badRequest('Host: must be given once');
    admitted.host = parseHost(host);
    next();
  };
}

/** All properties from the start: see docs/decisions/0017-fast-properties.md. */
export const admittedAs = (requestId: string): Admitted => ({
  requestId,
  address: undefined,
  host: undefined,
  route: undefined,
  instanceId: undefined,
  formId: undefined,
  who: 'none',
});

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** In X-Forwarded-For, some proxies append the client's port to its address and put IPv6 addresses in brackets. */
const withoutPort = (address: string | undefined): string | undefined => address?.replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');

export const admissionOf = (response: Response): Admitted => response.locals.admitted as Admitted;

// An id assigned by a proxy in front is kept, so that a request has the same id everywhere.
const requestIdOf = ({ headers }: Request): string => readRequestId(headers['x-request-id']?.toString()) ?? randomUUID();
