import { Problem } from '@sheaf/kernel';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { brokenFile } from './broken';

/** A workbook has about a dozen files, and a few more for each sheet. */
const maxEntries = 1_000;

/**
 * The files of a zip archive, unpacked on request. All of them together may unpack to at most `maxBytes`: unpacking stops there, whatever the
 * archive says about their sizes.
 */
export class Archive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private bytesLeft: number,
  ) {}

  /** @throws Problem `bad_request` */
  static async open(bytes: Buffer, maxBytes: number): Promise<Archive> {
    try {
      const zip = await fromBufferPromise(bytes);
      if (zip.entryCount > maxEntries) throw tooLarge();
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
      return new Archive(zip, entries, maxBytes);
    } catch (error) {
      throw problemOf(error);
    }
  }

  /** The text of a file while it is unpacked, whatever the case of its name, or undefined if the archive does not have it. Reading it throws a Problem `bad_request`. */
  unpack(name: string): AsyncIterable<string> | undefined {
    const entry = this.entries.get(name.toLowerCase());
    return entry && this.textOf(entry);
  }

  private async *textOf(entry: Entry): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of (await this.zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        this.bytesLeft -= chunk.length;
        if (this.bytesLeft < 0) throw tooLarge();
        yield decoder.decode(chunk, { stream: true });
      }
    } catch (error) {
      throw problemOf(error);
    }
  }
}

const tooLarge = () => Problem.badRequest('file: unpacks to more than such a file may have');

const problemOf = (error: unknown): Problem => (error instanceof Problem ? error : brokenFile(error));
