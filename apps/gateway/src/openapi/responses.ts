import { maxReportedErrors, Problem } from '@sheaf/kernel';
import type { Route, Streams } from '../route';
import { sampleOf } from './samples';
import { componentUri, schemaOf, type Schema } from './schemas';

/** Bytes are a string with the format `binary`, as in OpenAPI 3.0: generated clients and /docs understand that form. */
export const streams = (types: Streams): Schema =>
  Object.fromEntries(
    Object.entries(types).map(([type, { description, schema }]) => [
      type,
      { schema: { ...(schema ?? { type: 'string', format: 'binary' }), ...(description === undefined ? {} : { description }) } },
    ]),
  );

const attachment = {
  'Content-Disposition': {
    description: 'The file name under which to save the content.',
    schema: { type: 'string' },
    example: 'attachment; filename="site-visit.csv"',
  },
};

const always = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

export function success({ status, reply, stream }: Route, components: Record<string, Schema>): Schema {
  const description = { 200: 'Success.', 201: 'Created.', 202: 'Accepted for processing.', 204: 'No content.' }[status];
  if (stream !== undefined) {
    return {
      description: 'The content, streamed. It is incomplete if the connection ends early.',
      headers: { ...always, ...attachment },
      content: streams(stream),
    };
  }
  if (reply === undefined) return { description, headers: always };
  const schema = schemaOf('output', reply);
  return { description, headers: always, content: { 'application/json': { schema, example: sampleOf(schema, components) } } };
}

/** Error responses by status: the name and description of their component, and the message of its example where it is not its code's. */
const errorResponses: Record<number, { name: string; description: string; message?: string; headers?: Schema }> = {
  400: { name: 'BadRequest', description: 'The body or a parameter is invalid. The message names the field.' },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing or invalid.',
    headers: { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } },
  },
  403: { name: 'Forbidden', description: 'The caller may not do this.' },
  404: { name: 'NotFound', description: 'The resource does not exist, or the host does not belong to any instance.' },
  409: { name: 'Conflict', description: 'The resource has changed in the meantime, or already exists.' },
  410: {
    name: 'CursorExpired',
    description: 'The cursor is too old, or belongs to a database that was restored to an earlier moment. Start over without one.',
  },
  413: {
    name: 'PayloadTooLarge',
    description:
      'The body exceeds the limit (1 MiB by default), or the file exceeds the limit of its field or the remaining storage of its form or instance.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'Too many requests from one address or with one credential, too many submissions to one form, or too many failed attempts.',
    headers: {
      'Retry-After': { $ref: '#/components/headers/RetryAfter' },
      RateLimit: { $ref: '#/components/headers/RateLimit' },
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
    },
  },
  500: { name: 'InternalError', description: 'Something went wrong on our side.' },
  503: {
    name: 'Unavailable',
    description: 'Part of the service is down or too slow. Try again later. A fault of Sheaf itself is a 500.',
    message: Problem.unavailable().message,
    headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
  },
};

const sampleMessages: Record<string, string> = {
  bad_request: 'limit: must be between 1 and 100',
  authentication_required: 'This request needs an Authorization header with a key or a session.',
  unauthorized: 'The credentials are not valid.',
  forbidden: 'Your role does not allow you to change this form.',
  insufficient_scope: 'This operation needs the scope forms:write.',
  not_found: 'There is no such form.',
  conflict: 'The draft has changed since you read it.',
  cursor_expired: 'The changes after this cursor are no longer known. Start over without a cursor.',
  payload_too_large: 'The body must have at most 1048576 bytes.',
  too_many_requests: 'Too many requests from this address. Please try again later.',
  internal_error: 'Something went wrong on our side.',
};

export function errors(row: Route, components: Map<string, Schema>): Schema {
  const byStatus = new Map([...codesOf(row)].sort(([a], [b]) => a - b));
  const responses: Schema = {};
  for (const [status, codes] of byStatus) {
    const known = errorResponses[status];
    if (!known)
      throw new Error(`apps/gateway/src/openapi/responses.ts does not describe the status ${status} of ${row.method} ${row.path}`);
    // A status with several sets of codes has one component per set.
    const name = status === 403 || status === 401 ? codes.map(pascal).join('Or') : known.name;
    components.set(name, {
      description: known.description,
      headers: { ...always, ...known.headers },
      content: {
        'application/json': {
          schema: errorSchema(codes),
          examples: Object.fromEntries(
            codes.map((code) => [code, { value: { error: { code, message: known.message ?? sampleMessages[code] ?? code } } }]),
          ),
        },
      },
    });
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** The possible codes of each status (contract, section 7, and docs/contract-decisions.md, Callers). */
function codesOf({ method, errors, access, body, signedBody, upload }: Route): Map<number, readonly string[]> {
  const needsScope = typeof access === 'object';
  const statuses = new Set([...errors, 400, 404, 429, 500, 503]);
  if (access !== 'anyone') statuses.add(401).add(403);
  if ((body ?? signedBody ?? upload) !== undefined) statuses.add(413);

  const codes: Record<number, readonly string[]> = {
    400: ['bad_request'],
    401: access === 'anyone' ? ['unauthorized'] : ['authentication_required', 'unauthorized'],
    403: [...(needsScope ? ['insufficient_scope'] : []), ...(errors.includes(403) || !needsScope || method !== 'get' ? ['forbidden'] : [])],
    404: ['not_found'],
    409: ['conflict'],
    410: ['cursor_expired'],
    413: ['payload_too_large'],
    429: ['too_many_requests'],
    500: ['internal_error'],
    503: ['internal_error'],
  };
  return new Map([...statuses].map((status) => [status, codes[status] ?? []]));
}

/** An upload that is too large names its field, for the page. */
const codesWithDetails: ReadonlySet<string> = new Set(['bad_request', 'payload_too_large']);

/** The common shape of errors (contract, section 7), with the codes that are possible for a response. */
const errorSchema = (codes: readonly string[]): Schema => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'The error.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: codes, description: 'The error code, for programs.' },
        message: { type: 'string', description: 'An explanation for people. Its wording may change.' },
        ...(codes.some((code) => codesWithDetails.has(code))
          ? { details: { type: 'array', description: `All faults of the input, or the first ${maxReportedErrors}.`, items: inputFault } }
          : {}),
      },
    },
  },
});

const inputFault: Schema = {
  type: 'object',
  required: ['key', 'message'],
  properties: {
    key: { type: 'string', description: 'The path of the field in the input, or the key of a form field.' },
    message: { type: 'string', description: 'A description of the fault, including any bound.' },
    code: {
      $ref: componentUri('AnswerFault'),
      description: 'For answers to a form and their `Idempotency-Key`: the error code of the fault.',
    },
    params: {
      type: 'object',
      description: 'For answers to a form: the bounds that the message names, such as `max`.',
      additionalProperties: { type: ['number', 'string'] },
    },
  },
};

const pascal = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
