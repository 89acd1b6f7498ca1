import { createReadStream } from 'node:fs';
import { lstat, opendir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dataPaths } from '@sheaf/data-dir';
import { pack, type Pack } from 'tar-stream';

/** The files of DATA_DIR that belong to a backup besides PostgreSQL and the uploaded files. */
export const keptFiles = ['secrets', 'state', 'sampleForm', 'credentials'] as const;
export const filesFolder = 'files';

/** The names of these files, in DATA_DIR and in the archive. Only the secrets are always there. */
export const keptNames = keptFiles.map((file) => posix.basename(dataPaths('/')[file]));

interface Uploads {
  /** The folder of uploaded files; undefined if they are in a bucket. */
  folder: string | undefined;
  /** A file that the databases of the backup cannot know, because it was uploaded later, is left out. */
  notAfter: Date;
}

/**
 * Writes secrets and uploaded files as a tar archive. Files never change under their name. One that is removed meanwhile was removed after the
 * moment of the databases, by an erasure or because nobody claimed it.
 * @returns the number of uploaded files
 */
export async function writeDataArchive(
  dataDir: string,
  uploads: Uploads,
  output: Writable,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const archive = pack();
  const fill = async () => {
    for (const name of keptNames) {
      const content = await unlessGone(readFile(join(dataDir, name)));
      if (content) await addBuffer(archive, name, content);
    }
    let count = 0;
    if (uploads.folder !== undefined)
      for await (const path of filesBelow(uploads.folder))
        if (
          await addFile(
            archive,
            { path: posix.join(filesFolder, path), file: join(uploads.folder, path), notAfter: uploads.notAfter },
            onBytes,
          )
        )
          count++;
    archive.finalize();
    return count;
  };
  const [count] = await Promise.all([
    fill().catch((error: unknown) => {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }),
    pipeline(archive, output),
  ]);
  return count;
}

/** The complete files in a folder, as paths below it; those that an upload still writes end in `.part`. */
async function* filesBelow(root: string, below = ''): AsyncGenerator<string> {
  const folder = await unlessGone(opendir(join(root, below)));
  if (!folder) return;
  for await (const entry of folder) {
    const path = posix.join(below, entry.name);
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else if (entry.isFile() && !entry.name.endsWith('.part')) yield path;
  }
}

async function addFile(
  archive: Pack,
  { path, file, notAfter }: { path: string; file: string; notAfter: Date },
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const found = await unlessGone(lstat(file));
  if (!found || found.mtime > notAfter) return false;
  const content = createReadStream(file);
  // The archive states the size before the content, so the file must be open first.
  const opened = await unlessGone(
    new Promise<true>((resolve, reject) => void content.once('open', () => resolve(true)).once('error', reject)),
  );
  if (!opened) return false;
  await pipeline(content, archive.entry({ name: path, size: found.size, mode: 0o600, mtime: found.mtime }));
  onBytes(found.size);
  return true;
}

function addBuffer(archive: Pack, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
  });
}

async function unlessGone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
