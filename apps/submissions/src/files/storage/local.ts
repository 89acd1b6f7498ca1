import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from './storage';

/** Stores files in a folder that all replicas share. */
export async function localStorage(folder: string): Promise<FileStorage> {
  const root = resolve(folder);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(root, key);
  const partOf = (key: string) => `${pathOf(key)}.part`;

  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const part = partOf(key);
      try {
        const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        // Opened before the copying starts: a stream that opens its own file could still create it after an upload that fails at once has
        // been cleaned up.
        const file = await open(part, 'w', 0o600);
        await pipeline(bytes, file.createWriteStream({ flush: true }));
        await rename(part, path);
        // A file's name is durable once its folder is synced; a new folder's name, once its parent is.
        for (let at = dirname(path); ; at = dirname(at)) {
          await syncFolder(at);
          if (made === undefined || at === dirname(made)) break;
        }
      } catch (error) {
        await rm(part, { force: true });
        await rm(path, { force: true });
        throw error;
      }
    },

    async open(key) {
      const file = await open(pathOf(key));
      return file.createReadStream();
    },

    async remove(key) {
      await rm(partOf(key), { force: true });
      await rm(pathOf(key), { force: true });
    },

    async sizeOf(key) {
      return stat(pathOf(key)).then(
        (found) => (found.isFile() ? found.size : undefined),
        (error: unknown) => (isAbsent(error) ? undefined : Promise.reject(error as Error)),
      );
    },

    async *keys(after = '') {
      for (const instance of await namesIn(root))
        for (const form of await namesIn(join(root, instance))) {
          const folder = `${instance}/${form}`;
          if (folder > after) for await (const name of entriesOf(join(root, folder))) yield `${folder}/${name.replace(/\.part$/, '')}`;
        }
    },
  };
}

const isAbsent = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT';

/** The folders in a folder, in order; none if it was removed meanwhile. */
const namesIn = async (path: string): Promise<string[]> =>
  readdir(path, { withFileTypes: true }).then(
    (entries) =>
      entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort(),
    (error: unknown) => (isAbsent(error) ? [] : Promise.reject(error as Error)),
  );

async function* entriesOf(path: string): AsyncGenerator<string> {
  const folder = await opendir(path).catch((error: unknown) => (isAbsent(error) ? [] : Promise.reject(error as Error)));
  for await (const entry of folder) if (entry.isFile()) yield entry.name;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
