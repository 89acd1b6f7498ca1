import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Problem } from '@sheaf/kernel';
import { effort, little, tedious } from '@sheaf/testing';
import type { Request } from 'express';
import { withFile, type IncomingFile } from './upload';

let server: Server;
let handle: (file: IncomingFile) => Promise<unknown>;
let outcome: Promise<unknown>;
beforeAll(async () => {
  server = createServer((request, response) => {
    outcome = withFile(request as Request, (file) => handle(file)).catch((error: unknown) => error);
    void outcome.then((result) =>
      response.writeHead(result instanceof Error ? 400 : 200).end(result instanceof Error ? result.message : JSON.stringify(result)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => (handle = whole));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function whole({ name, contentType, bytes }: IncomingFile) {
  let size = 0;
  for await (const chunk of bytes) size += chunk.length;
  return { name, contentType, size };
}
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const post = async (body: string | FormData, headers: Record<string, string> = {}) => {
  const response = await fetch(url(), { method: 'POST', body, headers });
  return { status: response.status, message: await response.text() };
};
const form = (...parts: [name: string, value: string | Blob, filename?: string][]) => {
  const data = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, filename);
  }
  return data;
};
const file = (size = 5, type = 'text/plain') => new Blob([Buffer.alloc(size, 'a')], { type });
const boundary = 'edge';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
const part = (content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${content}`;

it('reads one file, regardless of its part name and of other fields', async () => {
  const body = form(['before', 'x'.repeat(100_000)], ['anything', file(3_000_000), 'plan Ü.txt'], ['after', 'y']);
  expect(await post(body)).toEqual({
    status: 200,
    message: JSON.stringify({ name: 'plan Ü.txt', contentType: 'text/plain', size: 3_000_000 }),
  });
});

it.each<[string, () => ReturnType<typeof post>, string]>([
  ['JSON', () => post('{}', { 'content-type': 'application/json' }), 'Content-Type: must be multipart/form-data with a boundary'],
  [
    'a form without a boundary',
    () => post('x', { 'content-type': 'multipart/form-data' }),
    'Content-Type: must be multipart/form-data with a boundary',
  ],
  ['a form without a file', () => post(form(['file', 'only a text'])), 'file: is required'],
  ['an empty body', () => post('', multipart), 'The body is not valid multipart/form-data.'],
  ['a form with two files', () => post(form(['a', file()], ['b', file(500_000)])), 'file: must be a single file'],
  ['a form that ends in the middle of its file', () => post(part('half a'), multipart), 'The body is not valid multipart/form-data.'],
  [
    'a form that ends before its last boundary',
    () => post(`${part('whole')}\r\n--${boundary}\r\n`, multipart),
    'The body is not valid multipart/form-data.',
  ],
  [
    'a part with invalid headers',
    () => post(`${part('whole')}\r\n--${boundary}\r\n\0\0: \0\r\n\r\nx`, multipart),
    'The body is not valid multipart/form-data.',
  ],
])('rejects %s', async (_, request, message) => {
  expect(await request()).toEqual({ status: 400, message });
});

it('responds while most of a rejected file is still in transit', async () => {
  handle = async ({ bytes }) => {
    for await (const _ of bytes) throw Problem.badRequest('no more');
    return 'all';
  };
  expect(await post(form(['file', file(30_000_000)]))).toEqual({ status: 400, message: 'no more' });
});

it('responds if the file is rejected before any of it is read', async () => {
  handle = () => Promise.reject(Problem.badRequest('not at all'));
  expect(await post(form(['file', file(30_000_000)]))).toEqual({ status: 400, message: 'not at all' });
});

it('detects that the client disconnected', async () => {
  const begun = new Promise<void>((resolve) => {
    handle = async (incoming) => {
      resolve();
      return whole(incoming);
    };
  });
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${multipart['content-type']}\r\nContent-Length: 100000\r\n\r\n${part('half a')}`,
  );
  await begun;
  socket.destroy();
  expect(await outcome).toMatchObject({ code: 'bad_request', message: 'The request was cut off.' });
});

it('a multipart request costs little, whatever fills its boundary, its headers, its names and its file', async () => {
  const head = 'Content-Disposition: form-data; name="file"';
  for (const text of tedious(60_000)) {
    const line = text.replaceAll('\n', ' ');
    for (const body of [
      `--${boundary}\r\n${head}; filename="${line}"\r\nContent-Type: text/plain\r\n\r\na\r\n--${boundary}--\r\n`,
      `--${boundary}\r\n${head}; filename*=UTF-8''${line}\r\n\r\na\r\n--${boundary}--\r\n`,
      `--${boundary}\r\n${head}; filename="a"\r\nContent-Type: ${line}\r\n\r\na\r\n--${boundary}--\r\n`,
      `--${boundary}\r\n${line}: a\r\n\r\na\r\n--${boundary}--\r\n`,
      `--${boundary}\r\n${head}; filename="a"\r\n\r\n${text}\r\n--edg`,
    ])
      expect(await effort(() => post(body, multipart))).toBeLessThan(little);
    const header = `multipart/form-data; boundary=${line.slice(0, 10_000)}`.replaceAll('é', 'e');
    expect(await effort(() => post('--a', { 'content-type': header }))).toBeLessThan(little);
  }
});
