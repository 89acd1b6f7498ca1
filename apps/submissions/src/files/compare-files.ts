import { isId } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { filesAfter, filesAmong, filesOfExports, type StoredFile } from './files.queries';
import { storageKey } from './remove-files';
import type { FileStorage } from './storage/storage';

// For operators who look for files that a restore has lost, or brought back: see `npm run sheaf -- reconcile`. Nothing is removed.

interface Deps {
  db: Database;
  storage: Pick<FileStorage, 'sizeOf' | 'keys'>;
}

/** How many files are looked up at once, in the database or in the storage. */
const [rowsAtOnce, lookupsAtOnce] = [500, 16];
/** How many are named, so that an answer does not grow with what is wrong. */
const maxNamed = 1_000;

/**
 * Looks for the bytes of files, in the order of their ids. A file whose row says that it is stored has all of its bytes; a row is read once more after its
 * bytes were not found, because the file may have been removed meanwhile. A file that was cut, as by a copy that broke off, is lost too.
 * @returns the files without all of their bytes, of which some are named, and after which one the next part begins; null if this was the last
 */
export async function findLostFiles(
  { db, storage }: Deps,
  { after, limit }: { after: string; limit: number },
): Promise<{ files: number; last: string | null; count: number; lost: StoredFile[] }> {
  const lost: StoredFile[] = [];
  let [files, count, last] = [0, 0, after as string | null];
  while (last !== null && files < limit) {
    const page: StoredFile[] = await filesAfter(db, last, rowsAtOnce);
    const broken = await brokenAmong(storage, page);
    const still = broken.length === 0 ? [] : await filesAmong(db, broken);
    const really = new Set(still.filter(({ state }) => isWhole(state)).map(({ id }) => id));
    const found = page.filter(({ id }) => really.has(id));
    files += page.length;
    count += found.length;
    lost.push(...found.slice(0, maxNamed - lost.length));
    last = page.length < rowsAtOnce ? null : (page.at(-1)?.id ?? null);
  }
  return { files, last, count, lost };
}

const isWhole = (state: string): boolean => state === 'stored' || state === 'claimed';

async function brokenAmong(storage: Deps['storage'], files: readonly StoredFile[]): Promise<string[]> {
  const broken: string[] = [];
  for (let at = 0; at < files.length; at += lookupsAtOnce)
    await Promise.all(
      files.slice(at, at + lookupsAtOnce).map(async (file) => {
        if ((await storage.sizeOf(storageKey(file))) !== file.size) broken.push(file.id);
      }),
    );
  return broken;
}

/**
 * Looks for the rows of stored bytes, folder by folder. A row is there before the first byte and until after the last one, so bytes that were seen first and
 * have none are nobody's, unless they went with their row meanwhile.
 * @returns the keys without a row, of which some are named, and the folder after which the next part begins; null if this was the last
 */
export async function findUnknownFiles(
  { db, storage }: Deps,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ files: number; last: string | null; count: number; unknown: string[] }> {
  const unknown: string[] = [];
  let [files, count, folder, keys] = [0, 0, undefined as string | undefined, [] as string[]];
  const look = async () => {
    for (const key of await withoutRow({ db, storage }, keys)) {
      count += 1;
      if (unknown.length < maxNamed) unknown.push(key);
    }
    keys = [];
  };
  for await (const key of storage.keys(after)) {
    const of = key.slice(0, key.lastIndexOf('/'));
    if (of !== folder && folder !== undefined && files >= limit) {
      await look();
      return { files, last: folder, count, unknown };
    }
    folder = of;
    files += 1;
    keys.push(key);
    if (keys.length === rowsAtOnce) await look();
  }
  await look();
  return { files, last: null, count, unknown };
}

async function withoutRow({ db, storage }: Deps, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const ids = keys.flatMap(idOf);
  const known = new Set([...(await filesAmong(db, ids)), ...(await filesOfExports(db, ids))].map(storageKey));
  const unknown: string[] = [];
  for (const key of keys) if (!known.has(key) && (await storage.sizeOf(key)) !== undefined) unknown.push(key);
  return unknown;
}

/** A folder or bucket may have things that are not ours. */
const idOf = (key: string): string[] => {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return isId(name) ? [name] : [];
};
