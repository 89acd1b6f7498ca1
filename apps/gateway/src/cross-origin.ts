import type { Request, Response } from 'express';

/** The response headers that scripts from other origins may read. */
const exposed = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
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
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Idempotency-Key, X-Request-Id, traceparent');
  response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
  response.statusCode = 204;
  response.end();
  return true;
}
