import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';

/** A file in an archive whose name is safe to use below a folder. */
export interface Entry {
  path: string;
  kind: 'file' | 'directory';
  size: number;
  /** Must be read to its end. */
  content: AsyncIterable<Uint8Array>;
}

/** The longest path of PostgreSQL has 60 characters, and of an uploaded file 117. */
const maxPath = 250;
/** More than a cluster of 100 databases has. */
const maxEntries = 5_000_000;

/**
 * Reads a tar archive, which may be anybody's: only files and folders, only with paths that stay below the folder, each path once. Links and
 * devices are refused, and so is a path that has a file as its folder, because it is in the way. The archive is not compressed, and so it
 * makes no more bytes than it has.
 * @throws Error that names the entry
 */
export async function readArchive(bytes: AsyncIterable<Uint8Array>, onEntry: (entry: Entry) => Promise<void>): Promise<void> {
  const reader = extract();
  const seen = new Map<string, Entry['kind']>();
  const entries = async () => {
    for await (const content of reader) {
      const { name, type, size } = content.header;
      const kind = kindOf(type);
      const path = name.replace(/\/$/, '').replace(/^\.\//, '');
      // The folder itself.
      if (kind === 'directory' && (path === '' || path === '.')) {
        content.resume();
        continue;
      }
      if (kind === undefined) throw new Error(`${shown(name)} is neither a file nor a folder (${type})`);
      if (!isSafe(path)) throw new Error(`${shown(name)} is no path below its folder`);
      if (seen.has(path)) throw new Error(`${shown(name)} is there twice`);
      if (foldersOf(path).some((folder) => seen.get(folder) === 'file')) throw new Error(`${shown(name)} is below a file`);
      if (seen.size >= maxEntries) throw new Error(`it has more than ${maxEntries} files`);
      seen.set(path, kind);
      await onEntry({ path, kind, size, content: content as AsyncIterable<Uint8Array> });
      content.resume();
    }
  };
  const [read, fed] = await Promise.allSettled([entries(), pipeline(Readable.from(bytes, { objectMode: false }), reader)]);
  // An entry that is refused ends the other side, too, with an error that says less.
  if (read.status === 'rejected') throw read.reason;
  if (fed.status === 'rejected') throw fed.reason;
}

const kindOf = (type: string): Entry['kind'] | undefined =>
  type === 'file' || type === 'contiguous-file' ? 'file' : type === 'directory' ? 'directory' : undefined;

const isSafe = (path: string): boolean =>
  path.length <= maxPath && path.split('/').every((part) => /^[\w.+@-]+$/.test(part) && part !== '.' && part !== '..');

const foldersOf = (path: string): string[] => {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** The name may have been chosen to confuse the reader of the message. */
const shown = (name: string): string => JSON.stringify(name.slice(0, maxPath));

/** Reads an entry to its end, and passes on its bytes. @returns its SHA-256 in hexadecimal */
export async function hashEntry({ content }: Pick<Entry, 'content'>, onBytes?: (chunk: Uint8Array) => Promise<void>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    await onBytes?.(chunk);
  }
  return hash.digest('hex');
}
