import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack, type Header } from 'tar-stream';
import { readArchive } from './read-archive';

/** An archive of these entries, as anybody could make it. */
async function archiveOf(...entries: (Partial<Header> & { name: string; content?: string })[]): Promise<Buffer> {
  const archive = pack();
  for (const { content = '', ...header } of entries) archive.entry(header, content);
  archive.finalize();
  return buffer(archive);
}

const pathsIn = async (bytes: Buffer): Promise<string[]> => {
  const paths: string[] = [];
  await readArchive(Readable.from([bytes]), ({ path }) => {
    paths.push(path);
    return Promise.resolve();
  });
  return paths;
};

it('an archive is read entry by entry, long paths and all', async () => {
  const long = `base/${'a'.repeat(120)}/1`;
  const bytes = await archiveOf(
    { name: 'base/', type: 'directory' },
    { name: long, content: 'x' },
    { name: './PG_VERSION', content: '18\n' },
  );
  await expect(pathsIn(bytes)).resolves.toEqual(['base', long, 'PG_VERSION']);
});

describe('An archive is refused', () => {
  it.each([
    ['../outside'],
    ['base/../../outside'],
    ['/etc/passwd'],
    ['base//1'],
    ['base/./1'],
    ['..'],
    ['C:\\windows'],
    ['base/a\nb'],
    ['base/\u202Etxt'],
    [`base/${'a'.repeat(300)}`],
  ])('with the path %j', async (name) => {
    await expect(pathsIn(await archiveOf({ name, content: 'x' }))).rejects.toThrow('is no path below its folder');
  });

  it.each(['symlink', 'link', 'character-device', 'fifo'] as const)('with a %s', async (type) => {
    const bytes = await archiveOf({ name: 'files', type, linkname: '/etc' }, { name: 'files/passwd', content: 'x' });
    await expect(pathsIn(bytes)).rejects.toThrow('"files" is neither a file nor a folder');
  });

  it('with a path that is there twice, or below a file', async () => {
    await expect(pathsIn(await archiveOf({ name: 'a', content: 'x' }, { name: './a', content: 'y' }))).rejects.toThrow(
      '"./a" is there twice',
    );
    await expect(pathsIn(await archiveOf({ name: 'a', content: 'x' }, { name: 'a/b', content: 'y' }))).rejects.toThrow(
      '"a/b" is below a file',
    );
  });

  it('that says it is larger than it is, as much as it likes', async () => {
    for (const size of [100_000, 8_000_000_000, 2 ** 52]) {
      const whole = await archiveOf({ name: 'a', size: 0 });
      const header = whole.subarray(0, 512);
      await expect(pathsIn(withSize(header, size))).rejects.toThrow('Unexpected end of data');
    }
  });

  it('whose header would fill the memory', async () => {
    const bytes = await archiveOf({ name: 'a', size: 0, pax: { comment: 'x' } });
    await expect(pathsIn(withSize(bytes.subarray(0, 512), 5_000_000_000))).rejects.toThrow('Header exceeds max size');
  });

  it('that is none, or cut within an entry', async () => {
    await expect(pathsIn(Buffer.alloc(2_048, 'x'))).rejects.toThrow('Invalid tar header');
    const whole = await archiveOf({ name: 'a', content: 'x'.repeat(5_000) });
    await expect(pathsIn(whole.subarray(0, 2_000))).rejects.toThrow('Unexpected end of data');
  });
});

/** The header with another size, in the base-256 form for large ones, and a checksum that fits. */
function withSize(header: Buffer, size: number): Buffer {
  const changed = Buffer.from(header);
  changed.fill(0, 124, 136);
  changed.writeUInt8(0x80, 124);
  changed.writeBigUInt64BE(BigInt(size), 128);
  changed.fill(' ', 148, 156);
  const sum = changed.reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return changed;
}
