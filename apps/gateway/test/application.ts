import { EventEmitter, once } from 'node:events';
import { createServer, request as send, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Router } from 'express';
import { Problem } from '@sheaf/kernel';
import { TestClock, testProcess } from '@sheaf/testing';
import { silentLog, type Log } from '@sheaf/runtime';
import { z } from 'zod';
import { application } from '../src/application';
import type { Callers } from '../src/callers/callers';
import { forSite } from '../src/origins/cross-origin';
import { route } from '../src/route';

export const clock = new TestClock();
const logged = new Map<unknown, Record<string, unknown>>();
const lines = new EventEmitter();
const keep = (level: string) => (line: Record<string, unknown>) => {
  logged.set(line.requestId, { level, ...line });
  lines.emit('line');
};
/** The line of the log that has this id. It may come after the response. */
export async function lineOf(requestId: unknown): Promise<Record<string, unknown> | undefined> {
  while (!logged.has(requestId)) await once(lines, 'line', { signal: AbortSignal.timeout(10_000) });
  return logged.get(requestId);
}
const log = {
  ...silentLog(),
  isLevelEnabled: () => true,
  info: keep('info'),
  debug: keep('debug'),
  error: keep('error'),
} as unknown as Log;
export const text = 'answers '.repeat(10_000);
const anything = z.object({ name: z.string().optional() });
/** The parts of a route that only the document shows. */
const texts = { id: 'getPart', summary: 'Get', description: 'Gets a part.' };
const rows = [
  route({
    method: 'get',
    path: '/public/v1/forms/:form',
    ...texts,
    access: 'anyone',
    status: 200,
    errors: [],
    handle: ({ params }) => Promise.resolve({ form: params.form }),
  }),
  route({
    method: 'post',
    path: '/public/v1/forms/:form',
    ...texts,
    access: 'anyone',
    body: anything,
    status: 201,
    errors: [],
    handle: ({ body }) => Promise.resolve(body),
  }),
  route({
    method: 'get',
    path: '/public/v1/forms/:form/site',
    ...texts,
    access: 'anyone',
    status: 200,
    errors: [],
    handle: ({ params, request, response }) =>
      forSite(request, response, (origin) =>
        params.form === 'refusing'
          ? Promise.reject(new Problem('forbidden', 'Origin: x', { details: [{ key: 'Origin', message: 'x' }] }))
          : params.form === 'closed'
            ? Promise.reject(Problem.forbidden('closed'))
            : Promise.resolve({ origin }),
      ),
  }),
  route({
    method: 'post',
    path: '/public/v1/files',
    ...texts,
    access: 'anyone',
    upload: { '*/*': {} },
    status: 201,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/.well-known/keys.json',
    ...texts,
    access: 'anyone',
    status: 200,
    errors: [],
    cacheSeconds: 60,
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/api/v1/small',
    ...texts,
    access: 'person',
    status: 200,
    errors: [],
    handle: () => Promise.resolve({ text: 'short' }),
  }),
  route({
    method: 'get',
    path: '/api/v1/large',
    ...texts,
    access: 'person',
    status: 200,
    errors: [],
    handle: () => Promise.resolve({ text }),
  }),
  route({
    method: 'post',
    path: '/api/v1/large',
    ...texts,
    access: 'person',
    body: anything,
    status: 200,
    errors: [],
    handle: () => Promise.resolve({ text }),
  }),
  route({
    method: 'delete',
    path: '/api/v1/small',
    ...texts,
    access: 'person',
    status: 204,
    errors: [],
    handle: () => Promise.resolve(undefined),
  }),
  route({
    method: 'post',
    path: '/app/v1/list',
    ...texts,
    access: 'person',
    body: anything.extend({ fields: z.array(z.object({ label: z.string() })).optional() }),
    status: 201,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/app/v1/list',
    ...texts,
    access: 'person',
    query: anything,
    status: 200,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
  route({
    method: 'get',
    path: '/public/v1/failing/:how',
    ...texts,
    access: 'anyone',
    status: 200,
    errors: [],
    handle: ({ params }) => Promise.reject(params.how === 'outage' ? Problem.unavailable(new Error('no database')) : new Error('a bug')),
  }),
  route({
    method: 'get',
    path: '/app/v1/plain',
    ...texts,
    access: 'person',
    status: 200,
    errors: [],
    handle: () => Promise.resolve({}),
  }),
];

/** The hosts that were looked up. */
export const lookedUp: string[] = [];
const user = (id: string) => ({
  caller: { kind: 'user', id, instanceId: 'i', credentialId: id, via: 'session', roles: {} },
  tokenFor: () => 'token',
});
const callers = {
  instanceAt: (host: string) => {
    lookedUp.push(host);
    return Promise.resolve('instance');
  },
  respondent: () => ({ caller: { kind: 'respondent', instanceId: 'instance' }, tokenFor: () => 'token' }),
  byHeader: (_: string, authorization = '') =>
    authorization === '' ? Promise.reject(new Problem('authentication_required', 'No credential.')) : Promise.resolve(user(authorization)),
  byCredential: (_: string, credential: string) => Promise.resolve(user(credential)),
  gatewayToken: () => 'token',
} as unknown as Callers;

let port: number;

/** Serves the routes above during the tests of a file. Each test starts a new minute. */
export function useApplication(): void {
  let server: Server;
  beforeAll(async () => {
    const settings = {
      ACCESS_LOG: true,
      PAGES_ADDR: 'localhost:1',
      REQUEST_TIMEOUT_MS: 5_000,
      STREAM_TIMEOUT_MS: 60_000,
      BODY_LIMIT_BYTES: 1_024,
      TRUSTED_PROXIES: ['loopback'],
      HSTS_MAX_AGE_SECONDS: 100,
      REQUESTS_PER_ADDRESS_PER_MINUTE: 5,
      REQUESTS_PER_CREDENTIAL_PER_MINUTE: 3,
    };
    server = createServer(
      { requireHostHeader: false },
      application(rows, { process: { ...testProcess('gateway'), log }, clock, callers, settings, documentation: Router() }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
  beforeEach(() => clock.advance(60_000));
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}
export const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const framing = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = send(
      { port, host: '127.0.0.1', method, path, headers: { ...framing, ...headers }, signal: AbortSignal.timeout(120_000) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
/** Sends raw text on a new connection and returns the first data of the response. */
export const sendRaw = async (request: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return data.toString();
};
export const bodyOf = ({ bytes }: Reply): unknown => JSON.parse(bytes.toString());
export const from = (address: string) => ({ 'x-forwarded-for': address });
export const as = (name: string) => ({ authorization: name });
