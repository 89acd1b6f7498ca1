import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Encryption } from './encryption';

/** How large a file is on disk, and its SHA-256. */
export interface Stored {
  bytes: number;
  sum: string;
}

/** A file of a backup while it is written. */
export interface StoredFile {
  /** Takes the plain content. */
  input: Writable;
  /** Resolves once the content is on disk. Rejects, and destroys the input, if it could not be written. */
  stored: Promise<Stored>;
}

/** Writes a new file that only its owner can read, encrypted if there is an encryption. */
export function storeFile(folder: string, name: string, encryption: Encryption | undefined): StoredFile {
  const input = new PassThrough({ highWaterMark: 1024 * 1024 });
  const stored = write(join(folder, name), input, encryption);
  // The writer to the input gets its error, and so does the one who waits for `stored`; nobody has to listen for it.
  input.on('error', () => undefined);
  stored.catch((error: unknown) => input.destroy(error instanceof Error ? error : new Error(String(error))));
  return { input, stored };
}

async function write(path: string, input: PassThrough, encryption: Encryption | undefined): Promise<Stored> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    await pipeline(
      input,
      (plain: AsyncIterable<Uint8Array>) => encryption?.encrypt(plain) ?? plain,
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.byteLength;
          await writeAll(file, chunk);
        }
      },
    );
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sum: hash.digest('hex') };
}

/** A write may store a part only, as on a disk that is nearly full; the next one then says why. */
export async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
