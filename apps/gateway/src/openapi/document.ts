import type { z } from 'zod';
import type { Route, Streams } from '../route';
import { sampleOf } from './samples';
import { componentsOf, inlineSchemaOf, reachable, schemaOf, type Schema } from './schemas';
import { tagOf } from './tags';

/** An OpenAPI 3.1 document, as far as those who make it need to look inside. */
export interface OpenApi {
  openapi: '3.1.1';
  paths: Record<string, Record<string, Schema>>;
  components: Record<string, Record<string, Schema>>;
  [part: string]: unknown;
}

/**
 * Describes the rows: what they say about themselves, and what follows for all of them from how a row is served. `errors` of a v1 row
 * is what section 4 of the contract lists; added to that are the refusals that other sections promise for any operation.
 */
export function openApiDocument(rows: readonly Route[]): OpenApi {
  const components = { ...componentsOf('input'), ...componentsOf('output') };
  const answers = new Map<string, Schema>();
  const paths: OpenApi['paths'] = {};
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [row.method]: operation(row, components, answers) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sheaf',
      version: '1.0.0',
      summary: 'Forms, the submissions they collect, and who is told about them.',
      description:
        'Three doors: `/api/v1` is the frozen contract for API clients, `/app/v1` is what people need around it, `/public/v1` is for ' +
        'respondents. Fields may be added to answers at any time, and values to statuses, roles and types: clients treat what they do ' +
        'not know as unknown. Fields of a request that are not described are ignored.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host that serves this document; it also tells which instance is meant.' }],
    tags: [...new Set(rows.map(({ path }) => tagOf(path)))].map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A user key (`shf_u_…`), a service-account key (`shf_s_…`), or the token of a session.' },
      },
      headers: {
        RequestId: { description: 'Names this request in our log. One that was sent is kept.', schema: { type: 'string' }, example: form },
        RetryAfter: { description: 'Seconds after which another try makes sense.', schema: { type: 'integer' }, example: 1 },
        Challenge: { description: 'How to authenticate.', schema: { type: 'string' }, example: 'Bearer' },
      },
      responses: Object.fromEntries([...answers].sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: reachable(paths, components),
    },
  };
}

const form = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01';

function operation(row: Route, components: Record<string, Schema>, answers: Map<string, Schema>): Schema {
  const body = row.body ?? row.signedBody;
  const parameters = [...pathParameters(row), ...queryParameters(row), ...headerParameters(row)];
  return {
    operationId: operationId(row.summary),
    summary: row.summary,
    tags: [tagOf(row.path).name],
    ...whoMay(row),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, components) }),
    ...(row.upload === undefined ? {} : { requestBody: { required: true, content: streams(row.upload) } }),
    responses: { [row.status]: success(row, components), ...refusals(row, answers) },
  };
}

/** The summary as a name: `Get the fields of a form` is `getFieldsOfForm`. A summary that changes renames a method in generated clients. */
export function operationId(summary: string): string {
  const [verb = '', ...others] = summary.toLowerCase().split(/[^a-z0-9]+/).filter((word) => !['', 'a', 'an', 'the'].includes(word));
  return [verb, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

function whoMay({ access }: Route): Schema {
  if (access === 'anyone') return { security: [] };
  const security = [{ bearer: [] }];
  if (typeof access === 'object') {
    return { description: `A service account needs the scope \`${access.scope}\`; people hold every scope.`, security, 'x-scope': access.scope };
  }
  return {
    description: access === 'session' ? 'For people who are signed in: a session, not a key.' : 'For people, by a session or a key; not for service accounts.',
    security,
  };
}

const meaning: Record<string, string> = {
  form: 'The id or the slug of a form.',
  subId: 'The id of a submission.',
  deliveryId: 'The id of a delivery.',
  version: 'The number of a version.',
  userId: 'The id of a user.',
  webhookId: 'The id of a webhook or of a subscription.',
  fileId: 'The id of a file: the answer to a field that takes one.',
  token: 'The token of an invitation: the last segment of its address.',
};

function pathParameters({ path }: Route): Schema[] {
  return [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, resource = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: meaning[name] ?? `An id, of what /${resource} is about.`,
    schema: { type: 'string' },
    example: { token: 'Zk1oVnN3', version: '2' }[name] ?? form,
  }));
}

function queryParameters({ query }: Route): Schema[] {
  if (query === undefined) return [];
  // A text on the way in; what it has to read as is what comes out.
  const { properties } = inlineSchemaOf('output', query) as { properties?: Record<string, Schema> };
  const required = new Set((inlineSchemaOf('input', query) as { required?: string[] }).required ?? []);
  return Object.entries(properties ?? {}).map(([name, schema]) => ({ name, in: 'query', required: required.has(name), schema }));
}

function headerParameters({ headers = {} }: Route): Schema[] {
  return Object.entries(headers).map(([name, shape]) => ({ name, in: 'header', required: false, schema: inlineSchemaOf('input', shape) }));
}

function requestBody(shape: z.ZodType, components: Record<string, Schema>): Schema {
  const schema = schemaOf('input', shape);
  // Nothing at all counts as {}.
  return { required: !shape.safeParse({}).success, content: { 'application/json': { schema, example: sampleOf(schema, components) } } };
}

/** Bytes are a string of the format `binary`, as OpenAPI 3.0 has it: that is what generated clients and /docs understand. */
const streams = (types: Streams): Schema =>
  Object.fromEntries(Object.entries(types).map(([type, { description, schema }]) => [type, { schema: { ...(schema ?? { type: 'string', format: 'binary' }), ...(description === undefined ? {} : { description }) } }]));

const attachment = {
  'Content-Disposition': { description: 'Under which name to save it.', schema: { type: 'string' }, example: 'attachment; filename="site-visit.csv"' },
};

const always = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

function success({ status, reply, stream }: Route, components: Record<string, Schema>): Schema {
  const description = { 200: 'Done.', 201: 'Made.', 202: 'Taken; it will be done.', 204: 'Done; there is nothing to say.' }[status];
  if (stream !== undefined) {
    return { description: 'The content, as it comes. Where the connection ends early, it is not whole.', headers: { ...always, ...attachment }, content: streams(stream) };
  }
  if (reply === undefined) return { description, headers: always };
  const schema = schemaOf('output', reply);
  return { description, headers: always, content: { 'application/json': { schema, example: sampleOf(schema, components) } } };
}

/** By status: its name here, and what it means to who gets it. */
const refused: Record<number, { name: string; description: string; headers?: Schema }> = {
  400: { name: 'BadRequest', description: 'The body or a parameter is not valid. The message names the field.' },
  401: { name: 'Unauthorized', description: 'The credential is missing or not valid.', headers: { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } } },
  403: { name: 'Forbidden', description: 'The caller may not do this.' },
  404: { name: 'NotFound', description: 'What the path names does not exist, or the host belongs to no instance.' },
  409: { name: 'Conflict', description: 'Something else has changed meanwhile.' },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than this deployment takes, 1 MiB unless it was set up otherwise; of a file: larger than its field takes.' },
  429: { name: 'TooManyRequests', description: 'Too many at once from one address or to one form, or too many attempts that failed.', headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } },
  500: { name: 'InternalError', description: 'Something went wrong on our side.' },
  503: { name: 'Unavailable', description: 'A part of the service is down or too slow.', headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } },
};

const told: Record<string, string> = {
  bad_request: 'limit: must be between 1 and 100',
  authentication_required: 'This request needs an Authorization header with a key or a session.',
  unauthorized: 'The credentials are not valid.',
  forbidden: 'Your role does not allow you to change this form.',
  insufficient_scope: 'This operation needs the scope forms:write.',
  not_found: 'There is no such form.',
  conflict: 'The draft has changed since you read it.',
  payload_too_large: 'The body is too large.',
  too_many_requests: 'Too many submissions at once. Please try again in a minute.',
  internal_error: 'Something went wrong on our side.',
};

function refusals(row: Route, answers: Map<string, Schema>): Schema {
  const byStatus = new Map([...codesOf(row)].sort(([a], [b]) => a - b));
  const responses: Schema = {};
  for (const [status, codes] of byStatus) {
    const known = refused[status];
    if (!known) throw new Error(`${row.method} ${row.path} answers ${status}, which apps/gateway/src/openapi/document.ts does not know`);
    // Where one status has several sets of codes, each set is a component of its own.
    const name = status === 403 || status === 401 ? codes.map(pascal).join('Or') : known.name;
    answers.set(name, {
      description: known.description,
      headers: { ...always, ...known.headers },
      content: {
        'application/json': {
          schema: errorSchema(codes),
          examples: Object.fromEntries(codes.map((code) => [code, { value: { error: { code, message: told[code] ?? code } } }])),
        },
      },
    });
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

/** The codes that can come with each status (contract, section 7, and decisions, Who is calling). */
function codesOf({ errors, access, query, body, signedBody, upload }: Route): Map<number, readonly string[]> {
  const needsScope = typeof access === 'object';
  const statuses = new Set([...errors, 404, 500, 503]);
  if (access !== 'anyone') statuses.add(401).add(403);
  if ((query ?? body ?? upload) !== undefined) statuses.add(400);
  if ((body ?? signedBody ?? upload) !== undefined) statuses.add(413);

  const codes: Record<number, readonly string[]> = {
    400: ['bad_request'],
    401: access === 'anyone' ? ['unauthorized'] : ['authentication_required', 'unauthorized'],
    403: [...(needsScope ? ['insufficient_scope'] : []), ...(errors.includes(403) || !needsScope ? ['forbidden'] : [])],
    404: ['not_found'],
    409: ['conflict'],
    413: ['payload_too_large'],
    429: ['too_many_requests'],
    500: ['internal_error'],
    503: ['internal_error'],
  };
  return new Map([...statuses].map((status) => [status, codes[status] ?? []]));
}

/** The one shape of errors (contract, section 7), with the codes that are possible here. */
const errorSchema = (codes: readonly string[]): Schema => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: codes },
        message: { type: 'string', description: 'For people; it may change.' },
        ...(codes.includes('bad_request')
          ? { details: { type: 'array', description: 'Where an input is wrong: each fault, or the first of very many.', items: answerFault } }
          : {}),
      },
    },
  },
});

const answerFault: Schema = {
  type: 'object',
  required: ['key', 'message'],
  properties: { key: { type: 'string', description: 'The field: its path in the input, or the key of a field of the form.' }, message: { type: 'string' } },
};

const pascal = (code: string): string => code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
