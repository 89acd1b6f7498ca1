import { maxReportedErrors } from '@sheaf/kernel';
import type { z } from 'zod';
import type { Route, Streams } from '../route';
import { sampleOf } from './samples';
import { allComponents, parameterDescription } from './components';
import { withNamedEnums } from './enums';
import { operationInfo } from './operations';
import { inlineSchemaOf, reachable, schemaOf, type Schema } from './schemas';
import { tagOf } from './tags';
import { webhooksOf } from './webhooks';

/** An OpenAPI 3.1 document, typed as far as the generator and its tests need. */
export interface OpenApi {
  openapi: '3.1.1';
  paths: Record<string, Record<string, Schema>>;
  components: Record<string, Record<string, Schema>>;
  [part: string]: unknown;
}

/**
 * Describes the routes: their own properties, and everything that holds for all of them because of how routes are served. `errors` of a v1
 * route lists the statuses from section 4 of the contract; the errors that other sections define for every operation are added here.
 */
export function openApiDocument(rows: readonly Route[]): OpenApi {
  const components = allComponents();
  const responses = new Map<string, Schema>();
  const paths: OpenApi['paths'] = {};
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [row.method]: operation(row, components, responses) };
  }
  const webhooks = webhooksOf(components);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sheaf',
      version: '1.0.0',
      summary: 'Forms, their submissions, and webhooks.',
      description:
        'The API has three parts: `/api/v1` is the frozen contract for API clients, `/app/v1` serves the application, and `/public/v1` serves ' +
        'respondents. Responses may gain new fields, and statuses, roles and types new values, at any time; clients must tolerate them. ' +
        'Unknown fields in request bodies are ignored. Unknown query parameters are ignored under `/api/v1` and rejected under `/app/v1`. ' +
        'HEAD works like GET, without a body.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host that serves this document. The host name selects the instance.' }],
    tags: [...new Set(rows.map(({ path }) => tagOf(path)))].map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A user key (`shf_u_…`), a service-account key (`shf_s_…`), or the token of a session.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sheaf_session',
          description:
            'The session of a browser that signed in with `"cookie": true`. Without TLS the name is `sheaf_session`. Requests other than GET and ' +
            'HEAD must come from a page of this origin, according to `Sec-Fetch-Site` or `Origin`; others are 403.',
        },
      },
      headers: {
        RequestId: {
          description: 'The id of this request, which also appears in the logs. An id sent with the request is kept.',
          schema: { type: 'string' },
          example: form,
        },
        RetryAfter: { description: 'The number of seconds to wait before trying again.', schema: { type: 'integer' }, example: 1 },
        RateLimit: {
          description: 'For each limit that applies: the remaining requests (`r`) and the seconds until the limit resets (`t`).',
          schema: { type: 'string' },
          example: '"address";r=2987;t=42, "credential";r=5912;t=42',
        },
        RateLimitPolicy: {
          description: 'For each limit that applies: the number of requests (`q`) per window of `w` seconds.',
          schema: { type: 'string' },
          example: '"address";q=3000;w=60, "credential";q=6000;w=60',
        },
        Challenge: { description: 'The authentication scheme.', schema: { type: 'string' }, example: 'Bearer' },
      },
      responses: Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: reachable({ paths, webhooks }, components),
    },
  };
}

const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';

function operation(row: Route, components: Record<string, Schema>, responses: Map<string, Schema>): Schema {
  const body = row.body ?? row.signedBody;
  const { id, description } = operationInfo(row);
  const { requirement, ...security } = securityOf(row);
  const parameters = [...pathParameters(row), ...queryParameters(row), ...headerParameters(row)];
  return {
    operationId: id,
    summary: row.summary,
    description: [description, requirement].filter((text) => text !== '').join('\n\n'),
    tags: [tagOf(row.path).name],
    ...security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, components) }),
    ...(row.upload === undefined ? {} : { requestBody: { required: true, content: streams(row.upload) } }),
    responses: { [row.status]: success(row, components), ...errors(row, responses) },
  };
}

function securityOf({ access }: Route): Schema & { requirement: string } {
  if (access === 'anyone') return { requirement: '', security: [] };
  const security = [{ bearer: [] }, { cookie: [] }];
  if (typeof access === 'object') {
    return {
      requirement: `Service accounts need the scope \`${access.scope}\`; people have every scope.`,
      security,
      'x-scope': access.scope,
    };
  }
  if (access === 'session') return { requirement: 'For signed-in people: requires a session, not a key.', security };
  return { requirement: 'For people, with a session or a key. Not for service accounts.', security };
}

const pathParameterDescriptions: Record<string, string> = {
  form: "The form's id or slug.",
  subId: "The submission's id.",
  deliveryId: "The delivery's id.",
  version: 'The version number.',
  userId: "The person's id.",
  webhookId: 'The id of the webhook or the subscription.',
  fileId: "The file's id, as in the answer to a `file` field.",
  keyId: "The key's id.",
  token: "The invitation's token: the last path segment of its URL.",
};

/** Descriptions of `:id` by the segment before it. */
const idDescriptions: Record<string, string> = {
  forms: "The form's id.",
  folders: "The folder's id.",
  workspaces: "The workspace's id.",
  hooks: "The subscription's id.",
  'api-keys': "The API key's id.",
  'service-accounts': "The service account's id.",
};

function pathParameters({ path }: Route): Schema[] {
  return [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, resource = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'id' ? idDescriptions[resource] : pathParameterDescriptions[name],
    schema: { type: 'string' },
    example: { token: 'Zk1oVnN3', version: '2' }[name] ?? form,
  }));
}

function queryParameters({ query }: Route): Schema[] {
  if (query === undefined) return [];
  // Every query parameter arrives as text. Its output shape says what the text must parse to.
  const { properties } = withNamedEnums(inlineSchemaOf('output', query)) as { properties?: Record<string, Schema> };
  const required = new Set((inlineSchemaOf('input', query) as { required?: string[] }).required ?? []);
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    description: parameterDescription(name),
    schema,
  }));
}

function headerParameters({ headers = {} }: Route): Schema[] {
  return Object.entries(headers).map(([name, shape]) => ({
    name,
    in: 'header',
    required: false,
    description: parameterDescription(name),
    schema: inlineSchemaOf('input', shape),
  }));
}

function requestBody(shape: z.ZodType, components: Record<string, Schema>): Schema {
  const schema = schemaOf('input', shape);
  // An empty body counts as {}.
  return { required: !shape.safeParse({}).success, content: { 'application/json': { schema, example: sampleOf(schema, components) } } };
}

/** Bytes are a string of the format `binary`, as in OpenAPI 3.0: generated clients and /docs understand that form. */
const streams = (types: Streams): Schema =>
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

function success({ status, reply, stream }: Route, components: Record<string, Schema>): Schema {
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

/** Error responses by status: the name and description of their component. */
const errorResponses: Record<number, { name: string; description: string; headers?: Schema }> = {
  400: { name: 'BadRequest', description: 'The body or a parameter is invalid. The message names the field.' },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing or invalid.',
    headers: { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } },
  },
  403: { name: 'Forbidden', description: 'The caller may not do this.' },
  404: { name: 'NotFound', description: 'The resource does not exist, or the host does not belong to any instance.' },
  409: { name: 'Conflict', description: 'The resource has changed in the meantime, or already exists.' },
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
    description: 'Part of the service is down or too slow. Try again later.',
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
  payload_too_large: 'The body must have at most 1048576 bytes.',
  too_many_requests: 'Too many requests from this address. Please try again later.',
  internal_error: 'Something went wrong on our side.',
};

function errors(row: Route, components: Map<string, Schema>): Schema {
  const byStatus = new Map([...codesOf(row)].sort(([a], [b]) => a - b));
  const responses: Schema = {};
  for (const [status, codes] of byStatus) {
    const known = errorResponses[status];
    if (!known) throw new Error(`apps/gateway/src/openapi/document.ts does not describe the status ${status} of ${row.method} ${row.path}`);
    // A status with several sets of codes has one component per set.
    const name = status === 403 || status === 401 ? codes.map(pascal).join('Or') : known.name;
    components.set(name, {
      description: known.description,
      headers: { ...always, ...known.headers },
      content: {
        'application/json': {
          schema: errorSchema(codes),
          examples: Object.fromEntries(codes.map((code) => [code, { value: { error: { code, message: sampleMessages[code] ?? code } } }])),
        },
      },
    });
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** The possible codes of each status (contract, section 7, and docs/contract-decisions.md, Who is calling). */
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
    413: ['payload_too_large'],
    429: ['too_many_requests'],
    500: ['internal_error'],
    503: ['internal_error'],
  };
  return new Map([...statuses].map((status) => [status, codes[status] ?? []]));
}

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
        ...(codes.includes('bad_request')
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
    message: { type: 'string', description: 'The fault, with the bound.' },
  },
};

const pascal = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
