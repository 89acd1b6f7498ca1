import { gzip } from 'node:zlib';
import type { Response } from 'express';
import { Problem, traceNames, type ProblemCode } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import { tooLarge } from './body';
import { asksForPage, replyFailurePage } from './failure-page';
import { print } from './json';

// A new code does not compile until it is given a status here. `code` replaces internal codes.
const http = {
  bad_request: { status: 400 },
  unauthorized: { status: 401 },
  authentication_required: { status: 401 },
  forbidden: { status: 403 },
  insufficient_scope: { status: 403 },
  not_found: { status: 404 },
  payload_too_large: { status: 413 },
  conflict: { status: 409 },
  cursor_expired: { status: 410 },
  too_many_requests: { status: 429 },
  internal_error: { status: 500 },
  unavailable: { status: 503, code: 'internal_error' },
} satisfies Record<ProblemCode, { status: number; code?: ProblemCode }>;

/** An answer with another status than that of its route. */
export class WithStatus {
  constructor(
    readonly status: number,
    /** Undefined for none. */
    readonly body: unknown,
  ) {}
}

/** @param cacheSeconds how long any cache may store the response; if absent, no cache may. */
export function reply(response: Response, status: number, body: unknown, cacheSeconds?: number): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', cacheSeconds === undefined ? 'no-store' : `public, max-age=${cacheSeconds}`);
  if (status === 204 || body === undefined) {
    response.end();
    return;
  }
  const text = print(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (text.length >= minCompressedLength) replyLarge(response, text);
  else send(response, text);
}

/** Level 1 takes a third of the default level's time, and compressed JSON is hardly larger. */
export const compressionLevel = 1;

/** The size of a page of 25 short submissions. Below this, compression costs more time than it saves. */
const minCompressedLength = 8_192;

function replyLarge(response: Response, text: string): void {
  if (!mayCompress(response)) {
    send(response, text);
    return;
  }
  gzip(text, { level: compressionLevel }, (failed, compressed) => {
    if (failed) {
      send(response, text);
      return;
    }
    response.setHeader('Content-Encoding', 'gzip');
    send(response, compressed);
  });
}

/**
 * Whether a large response may be compressed with gzip. Also sets `Vary`, because this depends on the client.
 *
 * Compresses only responses to GET, because secrets are returned only in responses to POST. Responses to other sites are not compressed: a
 * site that makes a browser repeat requests could guess the content from its compressed length (BREACH).
 */
export function mayCompress(response: Response): boolean {
  const { method, headers } = response.req;
  response.vary('Accept-Encoding');
  const site = headers['sec-fetch-site'];
  return method === 'GET' && site !== 'cross-site' && site !== 'same-site' && response.req.acceptsEncodings('gzip', 'identity') === 'gzip';
}

function send(response: Response, body: string | Buffer): void {
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** The status and body of an error, in the common shape (contract, section 7). */
export function errorBody(problem: Problem): { status: number; body: unknown } {
  const { status, code = problem.code }: { status: number; code?: ProblemCode } = http[problem.code];
  return { status, body: { error: { code, message: problem.message, ...(problem.details ? { details: problem.details } : {}) } } };
}

/** Responds to anything thrown. Clients see only the messages of Problems; other errors are logged, and clients get only the request id. */
export function replyError(response: Response, thrown: unknown, context: { log: Log; requestId: string; trace: string | undefined }): void {
  const problem = asProblem(thrown);
  const { status, body } = errorBody(problem);
  response.locals.refusal = problem.code;
  if (status >= 500)
    context.log.error({ err: problem.cause ?? problem, requestId: context.requestId, ...traceNames(context.trace) }, 'request failed');
  // Too late for an error response, so the connection is cut. HTTP/1.0 marks the end of a response by closing the connection, so only a
  // reset can signal the failure there. With later versions, a reset would lose data still in transit.
  if (response.headersSent) {
    if (response.req.httpVersion === '1.0') response.socket?.resetAndDestroy();
    else response.destroy();
    return;
  }
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  const retryAfterSeconds = status === 503 ? 1 : problem.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  if (asksForPage(response.req)) replyFailurePage(response, status, problem.message);
  else reply(response, status, body);
}

/** Why a request was refused, for the log. */
export const refusalOf = (response: Response): ProblemCode | undefined => response.locals.refusal as ProblemCode | undefined;

/** Errors of Express and its body parser carry a status and a type. */
function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem || !(thrown instanceof Error)) return Problem.from(thrown);
  const { type, status, limit } = thrown as { type?: unknown; status?: unknown; limit?: unknown };
  // A path that cannot be decoded matches no resource.
  if (thrown instanceof URIError) return Problem.notFound('path');
  if (type === 'entity.too.large') return tooLarge(Number(limit), thrown);
  if (typeof status === 'number' && status >= 400 && status < 500) return Problem.badRequest('The body could not be read.');
  return Problem.internal(thrown);
}
