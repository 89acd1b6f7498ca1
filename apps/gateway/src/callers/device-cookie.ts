import { randomBytes } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';

// As for the session: browsers accept this prefix only from this exact host, so nobody can plant a device that they know.
const secureName = '__Host-sheaf_device';
const plainName = 'sheaf_device';

const secureValue = new RegExp(`(?:^|;) *${secureName}=([\\w-]{43})(?:;|$)`);
const plainValue = new RegExp(`(?:^|;) *${plainName}=([\\w-]{43})(?:;|$)`);

/** As long as the service remembers it. */
const maxAgeMs = 90 * 86_400_000;

/**
 * The secret by which a browser that has signed in is known again, so that strangers who guess the password do not lock its person out (the
 * device cookies of OWASP). It opens nothing.
 */
export function deviceCookie(request: Request): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : (request.secure ? secureValue : plainValue).exec(cookie)?.[1];
}

/** For a browser that has none yet. */
export const newDevice = (): string => randomBytes(32).toString('base64url');

/** Keeps the device in the browser; each sign-in prolongs it. Only the pages of this origin send it. */
export function setDeviceCookie({ request, response }: { request: Request; response: Response }, device: string): void {
  const attributes: CookieOptions = { httpOnly: true, sameSite: 'strict', secure: request.secure, path: '/', maxAge: maxAgeMs };
  response.cookie(request.secure ? secureName : plainName, device, attributes);
}
