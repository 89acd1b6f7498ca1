import type { Request, Response } from 'express';

/** The headers of an answer that a script of another origin may read. */
const exposed = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
/** The longest that a browser keeps what a preflight said (Firefox; Chromium keeps it for two hours). */
const maxAgeSeconds = 86_400;

const isOpen = (path: string): boolean => path.startsWith('/public/v1/') || path.startsWith('/.well-known/');

/**
 * Opens what needs no credential to scripts of every origin (CORS), and nothing else. Never with credentials: a cookie of ours opens nothing there.
 * @returns whether it was a preflight, which is answered by that.
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
