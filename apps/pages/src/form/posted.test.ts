import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Problem } from '@sheaf/kernel';
import { effort, little, tedious } from '@sheaf/testing';
import type { Request } from 'express';
import { Posted, readPosted, type PostedFile } from './posted';

let server: Server;
let port: number;
let outcome: Promise<Posted | Problem>;
let files: { control: string; name: string; text: string }[];

const keep = async ({ control, name, bytes }: PostedFile) => {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  files.push({ control, name, text: Buffer.concat(chunks).toString() });
};
let onFile = keep;

beforeAll(async () => {
  server = createServer((request, response) => {
    outcome = readPosted(request as Request, (file) => onFile(file)).catch((thrown: unknown) => Problem.from(thrown));
    void outcome.then(() => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());
beforeEach(() => {
  files = [];
  onFile = keep;
});

async function post(body: FormData | URLSearchParams | string, headers: Record<string, string> = {}): Promise<Posted | Problem> {
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers });
  return outcome;
}

function form(entries: readonly (readonly [string, string | File])[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

it('reads the controls of a page, each with all of its values', async () => {
  const posted = (await post(
    form([
      ['a.name', 'Ada'],
      ['a.topics', 'x'],
      ['a.topics', 'y'],
    ]),
  )) as Posted;
  expect(posted.get('a.name')).toBe('Ada');
  expect(posted.all('a.topics')).toEqual(['x', 'y']);
  expect(posted.get('a.other')).toBeUndefined();
});

it('reads a body without files in the shorter encoding, too', async () => {
  const posted = (await post(new URLSearchParams([['a.name', 'Ada & Söhne']]))) as Posted;
  expect(posted.get('a.name')).toBe('Ada & Söhne');
});

it('stores line breaks as every other client sends them', async () => {
  const posted = (await post(new URLSearchParams([['a.text', 'one\r\ntwo']]))) as Posted;
  expect(posted.get('a.text')).toBe('one\ntwo');
});

it('hands over each file that has a name, also if what follows is wrong', async () => {
  const posted = await post(
    form([
      ['file.cv', new File(['hello'], 'ä.txt')],
      ['file.photo', new File([''], '')],
      ['a.name', 'Ada'],
    ]),
  );
  expect(posted).toBeInstanceOf(Posted);
  expect(files).toEqual([{ control: 'file.cv', name: 'ä.txt', text: 'hello' }]);
});

it('reads on when a file is refused, and reports it at the end', async () => {
  onFile = () => Promise.reject(Problem.badRequest('file: is refused'));
  expect(
    await post(
      form([
        ['file.cv', new File(['x'.repeat(300_000)], 'a.txt')],
        ['a.name', 'Ada'],
      ]),
    ),
  ).toMatchObject({ message: 'file: is refused' });
});

it('reads on when a reader stops in the middle of a large file', async () => {
  const begun: number[] = [];
  onFile = async ({ bytes }) => {
    for await (const chunk of bytes) {
      begun.push(chunk.length);
      return;
    }
  };
  const posted = (await post(
    form([
      ['file.cv', new File(['x'.repeat(5_000_000)], 'a.txt')],
      ['file.photo', new File(['x'.repeat(5_000_000)], 'b.txt')],
      ['a.name', 'Ada'],
    ]),
  )) as Posted;
  expect(posted.get('a.name')).toBe('Ada');
  expect(begun).toHaveLength(2);
});

it.each([
  ['more text than a submission can have', () => form([['a.text', 'x'.repeat(2_100_000)]])],
  ['the same in many controls', () => form(Array.from({ length: 30 }, (_, n) => [`a.f${n}`, 'x'.repeat(100_000)] as const))],
  ['too many controls', () => form(Array.from({ length: 5_001 }, () => ['a.x', ''] as const))],
])('refuses %s', async (_, body) => {
  expect(await post(body())).toMatchObject({ code: 'payload_too_large' });
});

it.each([
  ['of another type', '{}', 'application/json'],
  ['without a boundary', 'x', 'multipart/form-data'],
  ['that ends in the middle', '--b\r\nContent-Disposition: form-data; name="a.x"\r\n\r\nva', 'multipart/form-data; boundary=b'],
])('refuses a body %s', async (_, body, type) => {
  expect(await post(body, { 'Content-Type': type })).toMatchObject({ code: 'bad_request' });
});

it.each([
  ['controls in a charset that does not exist', 'a=1&b=2', 'application/x-www-form-urlencoded; charset=bogus'],
  [
    'a control in a charset that does not exist',
    '--b\r\nContent-Disposition: form-data; name="a.x"\r\nContent-Type: text/plain; charset=utf-99\r\n\r\nvalue\r\n--b--\r\n',
    'multipart/form-data; boundary=b',
  ],
  ['a control without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--b--\r\n', 'multipart/form-data; boundary=b'],
])('refuses a body with %s, and survives it', async (_, body, type) => {
  expect(await post(body, { 'Content-Type': type })).toMatchObject({ code: 'bad_request' });
});

it('passes over a file whose control has no name', async () => {
  const file = '--b\r\nContent-Disposition: form-data; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n';
  expect(await post(file, { 'Content-Type': 'multipart/form-data; boundary=b' })).toBeInstanceOf(Posted);
  expect(files).toEqual([]);
});

it('gives up on a browser that disconnects', async () => {
  const gone = send({ port, method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': 100 } });
  gone.on('error', () => undefined);
  gone.write('a.name=Ada');
  await new Promise((resolve) => server.once('request', resolve));
  gone.destroy();
  expect(await outcome).toMatchObject({ code: 'bad_request' });
});

it('costs little, whatever fills the controls of a page and their names, or however many they are', async () => {
  const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const full = 2 * 1_048_576 - 10;
  const bodies = tedious(full).flatMap((text) => [part('a.x', text), part(text.replaceAll('\n', ' '), 'x')]);
  bodies.push(Array.from({ length: 5_000 }, (_, n) => part(`a.f${n}`, 'x'.repeat(400))).join(''), part('a.x', '').repeat(30_000));
  for (const body of bodies) {
    const bytes = Buffer.from(`${body}--b--\r\n`);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const reading = () => {
      const request = Object.assign(Readable.from([bytes]), { headers, setTimeout: () => undefined, complete: true });
      return readPosted(request as unknown as Request, () => Promise.resolve()).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Problem);
      });
    };
    expect(await effort(reading)).toBeLessThan(little);
  }
});
