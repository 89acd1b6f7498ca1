import { Problem } from '@sheaf/kernel';
import type { FileStorage } from './storage';

/** A storage that cannot be reached, or whose disk is full, is an outage, which invites a retry, and no fault of Sheaf. */
export function reportingOutages(storage: FileStorage): FileStorage {
  return {
    ...storage,
    put: (key, bytes) => storage.put(key, bytes).catch(outage),
    open: (key) => storage.open(key).catch((error: unknown) => (isMissing(error) ? Promise.reject(error as Error) : outage(error))),
  };
}

/** The reason for which the upload itself was refused stays as it is. */
function outage(error: unknown): never {
  throw error instanceof Problem ? error : Problem.unavailable(error);
}

/** A file that has a row but no bytes will not come back by itself. */
export const isMissing = (error: unknown): boolean => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === 'ENOENT' || name === 'NoSuchKey';
};
