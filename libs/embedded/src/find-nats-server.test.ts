import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir, checkSha256, findNatsServer, isOlder, onPath, type Source } from './find-nats-server';

it('keeps downloads in the configured folder, or else in the user’s cache', () => {
  expect(cacheDir({ SHEAF_CACHE_DIR: '/cache', XDG_CACHE_HOME: '/xdg', HOME: '/home/ann' })).toBe('/cache');
  expect(cacheDir({ SHEAF_CACHE_DIR: '', XDG_CACHE_HOME: '/xdg', HOME: '/home/ann' })).toBe('/xdg/sheaf');
  expect(cacheDir({ HOME: '/home/ann' })).toBe('/home/ann/.cache/sheaf');
});

it('searches PATH in order but skips relative folders', () => {
  expect(onPath('/usr/bin:.:bin::/opt/bin', 'nats-server')).toEqual(['/usr/bin/nats-server', '/opt/bin/nats-server']);
});

it('rejects a download with the wrong checksum', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(() => checkSha256(Buffer.from('abc'), abc)).not.toThrow();
  expect(() => checkSha256(Buffer.from('abd'), abc)).toThrow('wrong checksum');
});

it.each([
  ['2.9.10', '2.11.17', true],
  ['2.11.16', '2.11.17', true],
  ['2.11.17', '2.11.17', false],
  ['2.12.0', '2.11.17', false],
  ['10.0.0', '2.11.17', false],
])('%s is older than %s: %j', (version, other, expected) => {
  expect(isOlder(version, other)).toBe(expected);
});

describe('a nats-server', () => {
  const before = { ...process.env };
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheaf-find-nats-'));
    process.env = {
      ...before,
      PATH: `${join(folder, 'system')}:${before.PATH ?? ''}`,
      SHEAF_CACHE_DIR: join(folder, 'cache'),
      NATS_SERVER: '',
    };
  });
  afterEach(async () => {
    process.env = before;
    await rm(folder, { recursive: true });
  });

  /** A program that says that it is this version. */
  async function program(path: string, version: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `#!/bin/sh\necho 'nats-server: v${version}'\n`, { mode: 0o755 });
    return path;
  }
  const system = (version: string) => program(join(folder, 'system/nats-server'), version);
  const cached = () => join(folder, `cache/nats-server-${process.platform}-${process.arch}`);
  const pinned: Source = { what: 'the release', isPinned: true, fetchInto: (workDir) => program(join(workDir, 'nats-server'), '2.11.17') };
  const broken: Source = { ...pinned, fetchInto: () => Promise.reject(new Error('no network')) };
  const distribution: Source = {
    what: 'the package',
    isPinned: false,
    fetchInto: (workDir) => program(join(workDir, 'nats-server'), '2.9.10'),
  };
  async function find(...sources: Source[]): Promise<{ found: string; said: string[] }> {
    const said: string[] = [];
    return { found: await findNatsServer({ onProgress: (what) => said.push(what) }, sources), said };
  }

  it('of the system is used if it is new enough', async () => {
    const path = await system('2.12.0');
    expect(await find(pinned)).toEqual({ found: path, said: [] });
  });

  it('that Sheaf is tested with is preferred to an old one of the system, and fetched once', async () => {
    await system('2.9.10');
    expect(await find(pinned, distribution)).toEqual({ found: cached(), said: ['fetching the release'] });
    expect(await find(pinned, distribution)).toEqual({ found: cached(), said: [] });
  });

  it('that is old is used where no other can be fetched, and this is said', async () => {
    const path = await system('2.9.10');
    const { found, said } = await find(broken, distribution);
    expect(found).toBe(path);
    expect(said.at(-1)).toBe(`using the older nats-server 2.9.10 at ${path} (tried the release: no network)`);
  });

  it('of the distribution is fetched where there is none at all, and the release cannot be', async () => {
    expect((await find(broken, distribution)).found).toBe(cached());
  });
});
