import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Documented, type Exchange } from './documented';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, made_at: { type: 'string', format: 'date-time' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const document = {
  paths: {
    '/things/{id}': {
      get: { responses: { 200: json({ $ref: '#/components/schemas/Thing' }), 404: { $ref: '#/components/responses/NotFound' } } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/things/file': {
      get: { responses: { 200: { content: { 'text/csv': { schema: { type: 'string' } }, 'application/x-ndjson': {} } } } },
    },
    '/things/all': { get: { responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }) } } },
  },
  components: {
    schemas: { Thing: thing },
    responses: { NotFound: json({ type: 'object', required: ['error'], properties: { error: { type: 'string', enum: ['not_found'] } } }) },
  },
};

let server: Server;
let documented: Documented;
beforeAll(async () => {
  server = createServer((_, response) => response.end(JSON.stringify(document)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  documented = new Documented(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const exchange = (over: Partial<Exchange>): Exchange => ({
  method: 'GET',
  path: '/things/1?x=/y',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: { id: '1' },
  ...over,
});

it.each<[string, Partial<Exchange>]>([
  ['a body that matches its description', {}],
  ['a refusal that operations share', { status: 404, body: { error: 'not_found' } }],
  ['no body where none is documented', { method: 'DELETE', status: 204, contentType: null, body: undefined }],
  ['content of a documented type', { path: '/things/file', contentType: 'text/csv; charset=utf-8', body: 'a,b' }],
  ['a literal path rather than one with a parameter', { path: '/things/all', body: [{ id: '1' }] }],
])('accepts %s', async (_, over) => {
  await expect(documented.check(exchange(over))).resolves.toBeUndefined();
});

it.each<[string, Partial<Exchange>, string]>([
  ['an unknown path', { path: '/others' }, 'no such operation'],
  ['an unknown method', { method: 'PUT' }, 'no such operation'],
  ['a status that is not documented', { status: 418 }, 'documents only 200, 404'],
  ['a field that is missing', { body: {} }, "must have required property 'id'"],
  ['an undocumented field', { body: { id: '1', secret: 'x' } }, 'must NOT have unevaluated properties'],
  ['a wrong format', { body: { id: '1', made_at: 'yesterday' } }, 'must match format "date-time"'],
  ['an unknown code', { status: 404, body: { error: 'lost' } }, 'must be equal to one of the allowed values'],
  ['another content type', { contentType: 'text/html' }, 'not as application/json'],
  ['content of an undocumented type', { path: '/things/file', body: {} }, 'not as text/csv or application/x-ndjson'],
  ['a body where none is documented', { method: 'DELETE', status: 204, body: {} }, 'documents no body'],
])('refuses %s', async (_, over, message) => {
  await expect(documented.check(exchange(over))).rejects.toThrow(message);
});
