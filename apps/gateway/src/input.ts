import { promisify } from 'node:util';
import { understood } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { parseJson, tooLarge } from './body';
import type { Route } from './route';

/** How long a body of JSON may take to arrive. */
const bodyWithinMs = 30_000;

const nothing = Buffer.alloc(0);

/** What a handler is given of a request, checked. */
export interface Input {
  query: unknown;
  body: unknown;
  /** The body as it came, where the row asks for that; else empty. */
  bytes: Buffer;
}

/** The third phase: what was sent, in the shapes of the row (400, 413). */
export function inputs({ BODY_LIMIT_BYTES: limit }: { BODY_LIMIT_BYTES: number }) {
  // The limit counts what a compressed body inflates to, and ends that.
  const readBody = promisify(express.raw({ limit, type: 'application/json' }));

  return async function read(row: Route, request: Request, response: Response): Promise<Input> {
    if (row.path.startsWith('/app/v1/')) refuseUnknownParameters(row, request);
    const query = row.query === undefined ? undefined : understood(row.query, request.query);
    const { 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined) checkEncoding(row, encoding.toLowerCase());
    if (row.body === undefined && row.signedBody === undefined) return { query, body: undefined, bytes: nothing };
    // Before any of it: the parser takes a body that is too large to its end before it says so.
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);

    const late = setTimeout(() => request.destroy(), bodyWithinMs);
    await readBody(request, response).finally(() => clearTimeout(late));
    if (row.body === undefined) return { query, body: undefined, bytes: Buffer.isBuffer(request.body) ? request.body : nothing };
    return { query, body: understood(row.body, bodyOf(request)), bytes: nothing };
  };
}

/**
 * A filter that is misspelled and silently ignored shows people what they did not ask for. The v1 contract goes on ignoring what it does
 * not know.
 */
function refuseUnknownParameters({ query }: Route, request: Request): void {
  if (!request.url.includes('?')) return;
  const known = query instanceof z.ZodObject ? query.shape : {};
  const unknown = Object.keys(request.query).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw Problem.badRequest(`${unknown.slice(0, 64)}: is not a parameter of this operation`);
}

/** Whoever is nobody yet must not have us inflate a bomb, and what is read as it comes is never inflated. */
function checkEncoding({ access, body, signedBody, upload }: Route, encoding: string): void {
  if ((body ?? signedBody ?? upload) === undefined || encoding === 'identity') return;
  if (access === 'anyone' || upload !== undefined) throw Problem.badRequest('Content-Encoding: must be identity, as this operation takes no compressed body');
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding)) throw Problem.badRequest('Content-Encoding: must be gzip, deflate, br or identity');
}

function bodyOf(request: Request): unknown {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  // Nothing at all says as much as {}: what is missing is then named field by field.
  if (isEmpty) return {};
  const bytes = request.body as unknown;
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!Buffer.isBuffer(bytes) || !/^utf-?8$/i.test(charset)) throw Problem.badRequest('Content-Type: must be application/json');
  const body = parseJson(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw Problem.badRequest('The body must be a JSON object.');
  return body;
}
