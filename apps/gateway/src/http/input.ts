import { promisify } from 'node:util';
import { parseInput, unknownMembers } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import type { Route } from '../route';
import { maxValues, parseJson, tooLarge } from './body';

/** The maximum time for a JSON body to arrive. */
const bodyTimeoutMs = 30_000;

/** A workbook may hold pictures, of which nothing is read: the bound of JSON bodies would refuse it for them. */
const maxFileBytes = 8 * 1_024 * 1_024;

const noBytes = Buffer.alloc(0);

/** The validated input of a request. */
export interface Input {
  query: unknown;
  body: unknown;
  /** The raw body if the route has a `signedBody`; otherwise empty. */
  bytes: Buffer;
}

/** The third phase: parses the request with the shapes of the route (400, 413). */
export function inputs({ BODY_LIMIT_BYTES: limit }: { BODY_LIMIT_BYTES: number }) {
  // The limit applies to the decompressed body and stops the decompression.
  const readBody = promisify(express.raw({ limit, type: 'application/json' }));
  const fileLimit = Math.max(limit, maxFileBytes);
  const readFile = promisify(express.raw({ limit: fileLimit, type: () => true }));

  return async function read(row: Route, request: Request, response: Response): Promise<Input> {
    if (isStrict(row)) refuseUnknownParameters(row, request);
    const query =
      row.query === undefined ? undefined : parseInput(row.query, takesFilters(row) ? withFilters(request.query) : request.query);
    const { 'content-encoding': encoding } = request.headers;
    if (encoding !== undefined) checkEncoding(row, encoding.toLowerCase());
    if (row.body === undefined && row.signedBody === undefined) return { query, body: undefined, bytes: noBytes };
    const isFile = row.fileBody !== undefined && typeOf(request) === row.fileBody;
    const most = isFile ? fileLimit : limit;
    // Checked first, because the parser reads an oversized body to the end before it fails.
    if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);

    const late = setTimeout(() => request.destroy(), bodyTimeoutMs);
    await (isFile ? readFile : readBody)(request, response).finally(() => clearTimeout(late));
    if (isFile) return { query, body: undefined, bytes: fileOf(request) };
    if (row.body === undefined) return { query, body: undefined, bytes: Buffer.isBuffer(request.body) ? request.body : noBytes };
    return { query, body: parseBody(row, bodyOf(row, request)), bytes: noBytes };
  };
}

const isStrict = ({ path }: Route): boolean => path.startsWith('/app/v1/');

/** Parses what was sent as the body of a route. @throws Problem `bad_request` */
export function parseBody(row: Route, sent: unknown): unknown {
  if (row.body === undefined) return undefined;
  return isStrict(row) ? parseStrictly(row.body, sent) : parseInput(row.body, sent);
}

/** Parses a value that may have no other members than its shape knows. @throws Problem `bad_request` */
export function parseStrictly<T extends z.ZodType>(shape: T, sent: unknown): z.output<T> {
  const value = parseInput(shape, sent);
  refuseUnknownMembers(shape, sent);
  return value;
}

const typeOf = ({ headers }: Request): string => (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();

function fileOf({ body }: Request): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) throw Problem.badRequest('The body must not be empty.');
  return body;
}

/** Silently ignoring a misspelled filter would show people the wrong results. v1 still ignores unknown parameters, as its contract says. */
function refuseUnknownParameters({ query }: Route, request: Request): void {
  if (!request.url.includes('?')) return;
  const known = query instanceof z.ZodObject ? query.shape : {};
  const isFilter = (name: string) => Object.hasOwn(known, 'filter') && name.startsWith(filterStart);
  const unknown = Object.keys(request.query).find((name) => name === 'filter' || (!Object.hasOwn(known, name) && !isFilter(name)));
  if (unknown !== undefined) throw Problem.badRequest(`${unknown.slice(0, 64)}: is not a parameter of this operation`);
}

/** The same for a mistyped or unknown setting in a body. v1 still ignores unknown members. */
function refuseUnknownMembers(shape: z.ZodType, sent: unknown): void {
  const details = unknownMembers(shape, sent).map((path) => ({ key: path.slice(0, 200), message: 'is not a member of this request' }));
  const [first] = details;
  if (first) throw new Problem('bad_request', `${first.key}: ${first.message}`, { details });
}

const filterStart = 'filter[';

const takesFilters = ({ query }: Route): boolean => query instanceof z.ZodObject && Object.hasOwn(query.shape, 'filter');

/** Gathers parameters such as `filter[age][gte]` in one, by what follows its name. */
function withFilters(query: Request['query']): Request['query'] {
  const names = Object.keys(query).filter((name) => name.startsWith(filterStart));
  const others = Object.entries(query).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(others), filter: Object.fromEntries(names.map((name) => [name.slice('filter'.length), query[name]])) };
}

/** Anonymous clients must not be able to send decompression bombs, and uploads are read without decompression. */
function checkEncoding({ access, body, signedBody, upload }: Route, encoding: string): void {
  if ((body ?? signedBody ?? upload) === undefined || encoding === 'identity') return;
  if (access === 'anyone' || upload !== undefined)
    throw Problem.badRequest('Content-Encoding: must be identity; this operation does not accept compressed bodies');
  if (!['gzip', 'x-gzip', 'deflate', 'br'].includes(encoding))
    throw Problem.badRequest('Content-Encoding: must be gzip, deflate, br or identity');
}

function bodyOf({ access }: Route, request: Request): unknown {
  const { headers } = request;
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  // An empty body counts as {}, so that the error names the missing fields.
  if (isEmpty) return {};
  const bytes = request.body as unknown;
  const charset = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!Buffer.isBuffer(bytes)) throw Problem.badRequest('Content-Type: must be application/json');
  if (!/^utf-?8$/i.test(charset)) throw Problem.badRequest('Content-Type: the charset must be utf-8, as it is without one');
  const body = parseJson(bytes, access === 'anyone' ? maxValues.anyone : maxValues.withCredential);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw Problem.badRequest('The body must be a JSON object.');
  return body;
}
