import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { localStorage } from '../src/files/storage/local';
import { s3Storage } from '../src/files/storage/s3';
import type { FileStorage } from '../src/files/storage/storage';

const key = 'instance/form/file';
const large = randomBytes(12 * 1024 * 1024);

async function* chunks(bytes: Buffer, thenFail?: Error) {
  for (let at = 0; at < bytes.length; at += 65_536) yield await Promise.resolve(bytes.subarray(at, at + 65_536));
  if (thenFail) throw thenFail;
}
const contents = async (storage: FileStorage, of = key) => {
  const parts: Uint8Array[] = [];
  for await (const part of await storage.open(of)) parts.push(part);
  return Buffer.concat(parts);
};

/** The minimum of the S3 protocol that a client needs to put, get and delete objects, in one part or several. */
class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://bucket');
    const body = await buffer(request);
    const xml = (text: string) => response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`);
    const isSigned = /^AWS4-HMAC-SHA256 Credential=the-key\/.+, ?SignedHeaders=.+, ?Signature=[0-9a-f]{64}$/.test(
      request.headers.authorization ?? '',
    );
    if (!isSigned || !pathname.startsWith('/sheaf')) {
      response.writeHead(403).end();
      return;
    }

    const name = decodeURIComponent(pathname.replace(/^\/sheaf\/?/, ''));
    const uploadId = query.get('uploadId') ?? '';
    const upload = this.uploads.get(uploadId);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    switch (`${request.method ?? ''} ${upload ? 'part' : query.has('uploads') ? 'uploads' : query.has('list-type') ? 'list' : 'object'}`) {
      case 'PUT object':
        this.objects.set(name, body);
        return void response.writeHead(200, { etag }).end();
      case 'HEAD object':
        return void response.writeHead(this.objects.has(name) ? 200 : 404, { 'content-length': this.objects.get(name)?.length ?? 0 }).end();
      case 'GET list': {
        const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
        const keys = [...this.objects.keys()].filter((of) => of > after).sort();
        const next =
          keys.length > 2 ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${keys[1] ?? ''}</NextContinuationToken>` : '';
        const contents = keys.slice(0, 2).map((of) => `<Contents><Key>${of}</Key></Contents>`);
        return void xml(`<ListBucketResult>${next}${contents.join('')}</ListBucketResult>`);
      }
      case 'GET object': {
        const found = this.objects.get(name);
        if (found) response.writeHead(200, { 'content-length': found.length }).end(found);
        else response.writeHead(404).end();
        return;
      }
      case 'DELETE object':
        this.objects.delete(name);
        return void response.writeHead(204).end();
      case 'POST uploads': {
        const id = randomBytes(8).toString('hex');
        this.uploads.set(id, { key: name, parts: new Map() });
        return void xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
      }
      case 'GET uploads': {
        const under = [...this.uploads].filter(([, { key: of }]) => of.startsWith(query.get('prefix') ?? ''));
        return void xml(
          `<ListMultipartUploadsResult>${under.map(([id, { key: of }]) => `<Upload><Key>${of}</Key><UploadId>${id}</UploadId></Upload>`).join('')}</ListMultipartUploadsResult>`,
        );
      }
      case 'PUT part':
        upload?.parts.set(Number(query.get('partNumber')), body);
        return void response.writeHead(200, { etag }).end();
      case 'POST part': {
        const parts = [...(upload?.parts ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
        this.objects.set(name, Buffer.concat(parts));
        this.uploads.delete(uploadId);
        return void xml('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
      }
      case 'DELETE part':
        this.uploads.delete(uploadId);
        return void response.writeHead(204).end();
      default:
        return void response.writeHead(400).end();
    }
  }
}

let folder: string;
let bucket: Bucket;
const storages: Record<string, FileStorage> = {};
const storage = (name: string): FileStorage => {
  const found = storages[name];
  if (!found) throw new Error(`there is no storage ${name}`);
  return found;
};
/** Everything in the storage, including partly written files. */
const remaining: Record<string, () => Promise<string[]>> = {
  'a folder': async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name),
  'a bucket': () => Promise.resolve([...bucket.objects.keys(), ...bucket.uploads.keys()]),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
  bucket = new Bucket();
  process.env.AWS_ACCESS_KEY_ID = 'the-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'the-secret';
  storages['a folder'] = await localStorage(folder);
  storages['a bucket'] = await s3Storage({ bucket: 'sheaf', endpoint: await bucket.start(), region: 'us-east-1', forcePathStyle: true });
});
afterAll(async () => {
  await bucket.stop();
  await rm(folder, { recursive: true });
  delete process.env.AWS_ACCESS_KEY_ID;
  delete process.env.AWS_SECRET_ACCESS_KEY;
});

describe.each(['a folder', 'a bucket'])('%s', (name) => {
  it.each([
    ['one small chunk', Buffer.from('hello')],
    ['more than one part', large],
  ])('returns stored bytes unchanged: %s', async (_, bytes) => {
    await storage(name).put(key, chunks(bytes));
    expect((await contents(storage(name))).equals(bytes)).toBe(true);
    await storage(name).remove(key);
    expect(await remaining[name]?.()).toEqual([]);
  });

  it.each([
    ['at once', Buffer.alloc(0)],
    ['after several parts', large],
  ])('keeps nothing of an upload that fails %s, and rejects with its error', async (_, bytes) => {
    const failure = new Error('the client is gone');
    await expect(storage(name).put(key, chunks(bytes, failure))).rejects.toBe(failure);
    expect(await remaining[name]?.()).toEqual([]);
  });

  it('accepts the removal of a file that does not exist', async () => {
    await expect(storage(name).remove('instance/form/nothing')).resolves.toBeUndefined();
  });

  it('tells which keys it has, folder by folder, also from one folder on', async () => {
    const keys = ['i/a/1', 'i/a/2', 'i/b/1', 'i/b/zebra', 'j/a/1', 'j/c/1'];
    for (const one of keys) await storage(name).put(one, chunks(Buffer.from('hello')));
    const listed = async (after?: string) => {
      const all: string[] = [];
      for await (const one of storage(name).keys(after)) all.push(one);
      return all;
    };
    expect((await listed()).sort()).toEqual(keys);
    expect(await listed('i/b')).toEqual(['j/a/1', 'j/c/1']);
    await expect(storage(name).sizeOf('i/a/2')).resolves.toBe(5);
    for (const one of keys) await storage(name).remove(one);
    await expect(storage(name).sizeOf('i/a/2')).resolves.toBeUndefined();
    expect(await listed()).toEqual([]);
  });

  it('refuses to open a file that does not exist', async () => {
    await expect(storage(name).open('instance/form/nothing')).rejects.toThrow();
  });
});

it('a folder hides its files from other users of the machine', async () => {
  await storage('a folder').put(key, chunks(Buffer.from('secret')));
  expect((await stat(join(folder, key))).mode & 0o077).toBe(0);
  await storage('a folder').remove(key);
});

it('a folder removes a file that a dead process left half-written', async () => {
  await storage('a folder').put(key, chunks(Buffer.from('whole')));
  await writeFile(join(folder, `${key}.part`), 'half');
  await storage('a folder').remove(key);
  expect(await remaining['a folder']?.()).toEqual([]);
});

it('a bucket removes the parts of an upload whose process died', async () => {
  bucket.uploads.set('abandoned', { key, parts: new Map([[1, Buffer.from('half')]]) });
  await storage('a bucket').remove(key);
  expect(await remaining['a bucket']?.()).toEqual([]);
});
