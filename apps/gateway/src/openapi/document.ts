import type { z } from 'zod';
import { byPath, type Route } from '../route';
import { allComponents } from './components';
import { exampleId, parametersOf } from './parameters';
import { errors, streams, success } from './responses';
import { sampleOf } from './samples';
import { reachable, schemaOf, type Schema } from './schemas';
import { byTag, tagOf } from './tags';
import { webhooksOf } from './webhooks';

/**
 * An OpenAPI 3.1 document, typed as far as the generator and its tests need. Its version is 3.1.0, because generators that know the versions by
 * name refuse 3.1.1, which says the same in clearer words.
 */
export interface OpenApi {
  openapi: '3.1.0';
  paths: Record<string, Record<string, Schema>>;
  components: Record<string, Record<string, Schema>>;
  [part: string]: unknown;
}

/**
 * Describes the routes: their own properties, and everything that applies to all routes because of how they are served. `errors` of a v1
 * route lists the statuses from section 4 of the contract; the errors that other sections define for every operation are added here.
 */
export function openApiDocument(routes: readonly Route[]): OpenApi {
  const rows = routes.toSorted((a, b) => byTag(a, b) || byPath(a, b));
  const components = allComponents();
  const responses = new Map<string, Schema>();
  const paths: OpenApi['paths'] = {};
  for (const row of rows) {
    const path = row.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [row.method]: operation(row, components, responses) };
  }
  const webhooks = webhooksOf(components);
  return finished({
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The host that serves this document. The host name selects the instance.' }],
    tags: [...new Set(rows.map(({ path }) => tagOf(path)))].map(({ name, description }) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      headers,
      responses: Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))),
      schemas: reachable({ paths, webhooks, responses: [...responses] }, components),
    },
  });
}

/**
 * Texts and samples are in their places now, and the marks by which `described` brought them there can go. A schema of several types becomes one
 * of alternatives: generators of clients know one type a schema, and null beside it.
 */
function finished<T>(node: T): T {
  if (Array.isArray(node)) return node.map(finished) as T;
  if (typeof node !== 'object' || node === null) return node;
  const parts = Object.entries(node).filter(([key]) => !marks.has(key));
  return Object.fromEntries(
    parts.map(([key, value]) => (key === 'type' && isSeveral(value) ? ['anyOf', value.map((type) => ({ type }))] : [key, finished(value)])),
  ) as T;
}

const isSeveral = (types: unknown): types is string[] => Array.isArray(types) && types.filter((type) => type !== 'null').length > 1;

const marks = new Set(['x-text', 'x-sample', 'x-left-out']);

const info = {
  title: 'Sheaf',
  version: '1.0.0',
  description:
    'Forms, their submissions, and webhooks. The API has three parts: `/api/v1` is the frozen contract for API clients, `/app/v1` serves the ' +
    'application, and `/public/v1` serves respondents. Responses may gain new fields, and statuses, roles and types new values, at any time; ' +
    'clients must tolerate them. Unknown members of request bodies and unknown query parameters are ignored under `/api/v1`, and rejected by ' +
    'name under `/app/v1`. HEAD works like GET, without a body.',
  license: { name: 'MIT', identifier: 'MIT' },
};

const securitySchemes = {
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
};

const headers = {
  RequestId: {
    description: 'The id of this request, which also appears in the logs. An id sent with the request is kept.',
    schema: { type: 'string' },
    example: exampleId,
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
};

function operation(row: Route, components: Record<string, Schema>, responses: Map<string, Schema>): Schema {
  const body = row.body ?? row.signedBody;
  const { id, description } = row;
  const { requirement, ...security } = securityOf(row);
  const parameters = parametersOf(row);
  return {
    operationId: id,
    summary: row.summary,
    description: [description, requirement].filter((text) => text !== '').join('\n\n'),
    tags: [tagOf(row.path).name],
    ...security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, components, row.fileBody) }),
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

function requestBody(shape: z.ZodType, components: Record<string, Schema>, file?: string): Schema {
  const schema = schemaOf('input', shape);
  const content = { 'application/json': { schema, example: sampleOf(schema, components) } };
  return {
    // An empty body counts as {}.
    required: !shape.safeParse({}).success,
    content: { ...content, ...(file === undefined ? {} : { [file]: { schema: { type: 'string', format: 'binary' } } }) },
  };
}
