import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { Problem } from '@sheaf/kernel';
import { brokenFile } from './broken';

const inflate = promisify(inflateRaw);

const endSignature = 0x06054b50;
const endLength = 22;
const maxComment = 65_535;
const entrySignature = 0x02014b50;
const entryLength = 46;
const fileSignature = 0x04034b50;
const fileLength = 30;
const stored = 0;
const deflated = 8;

/** A workbook has about a dozen files, and a few more for each sheet. */
const maxEntries = 1_000;

interface Entry {
  name: string;
  method: number;
  size: number;
  offset: number;
}

/**
 * The files of a zip archive (APPNOTE 6.3, without zip64), unpacked on request. All of them together may unpack to at most `maxBytes`: what the
 * archive says about their sizes is not believed, and unpacking stops at the bound.
 * @throws Problem `bad_request`
 */
export class Archive {
  private readonly entries: ReadonlyMap<string, Entry>;

  constructor(
    private readonly bytes: Buffer,
    private left: number,
  ) {
    this.entries = new Map(readable(() => entriesOf(bytes)).map((entry) => [entry.name, entry]));
  }

  async unpack(name: string): Promise<string | undefined> {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const content = await this.contentOf(entry);
    this.left -= content.length;
    return content.toString();
  }

  private async contentOf({ method, size, offset }: Entry): Promise<Buffer> {
    const packed = readable(() => {
      if (this.bytes.readUInt32LE(offset) !== fileSignature) throw brokenFile();
      const start = offset + fileLength + this.bytes.readUInt16LE(offset + 26) + this.bytes.readUInt16LE(offset + 28);
      if (start + size > this.bytes.length) throw brokenFile();
      return this.bytes.subarray(start, start + size);
    });
    if (method === stored && packed.length <= this.left) return packed;
    if (method !== stored && method !== deflated) throw brokenFile();
    if (method === stored || this.left <= 0) throw tooLarge();
    try {
      return await inflate(packed, { maxOutputLength: this.left });
    } catch (error) {
      throw (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : brokenFile(error);
    }
  }
}

const tooLarge = () => Problem.badRequest('file: unpacks to more than an XLSForm may have');

const outside: ReadonlySet<unknown> = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** A number that points outside of the file is a fault of the file. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw outside.has((error as { code?: unknown }).code) ? brokenFile(error) : error;
  }
}

function entriesOf(bytes: Buffer): Entry[] {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > maxEntries) throw tooLarge();
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== entrySignature) throw brokenFile();
    const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
    if (isEncrypted) throw brokenFile();
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', at + entryLength, at + entryLength + nameLength),
      method: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += entryLength + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** The end of the central directory, which a comment may follow. */
function endOf(bytes: Buffer): number {
  const last = bytes.length - endLength;
  for (let at = last; at >= Math.max(0, last - maxComment); at -= 1) if (bytes.readUInt32LE(at) === endSignature) return at;
  throw brokenFile();
}
