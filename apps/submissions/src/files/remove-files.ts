import type { Deps } from '../deps';
import * as files from './files.queries';
import type { FileKey } from './files.queries';

/** Made of ids only: client input never becomes part of a path. */
export const storageKey = ({ instance_id, form_id, id }: FileKey): string => `${instance_id}/${form_id}/${id}`;

const batchSize = 100;
const hourMs = 3_600_000;
const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Removes an unclaimed file: first it can no longer be claimed, then its bytes are removed, then its row. A process that dies in between
 * leaves the row, and the next cleanup continues. Two concurrent calls do no harm.
 */
export async function discard({ db, files: { storage } }: Pick<Deps, 'db' | 'files'>, file: FileKey): Promise<void> {
  if (!(await files.markForRemoval(db, file.id))) return;
  await storage.remove(storageKey(file));
  await files.deleteRow(db, file.id);
}

/** Removes files that no submission claimed in time, unless saved answers name them, and the remains of aborted uploads. @returns how many */
export async function removeUnclaimed(deps: Pick<Deps, 'db' | 'clock' | 'files'>): Promise<number> {
  const now = deps.clock.now();
  const before = new Date(now.getTime() - deps.files.unclaimedHours * hourMs);
  while ((await files.markOldForRemoval(deps.db, { before, now }, batchSize)) === batchSize);

  let removed = 0;
  let after = lowestId;
  for (;;) {
    const page = await files.markedForRemoval(deps.db, after, batchSize);
    for (const file of page) {
      try {
        await discard(deps, file);
        removed++;
      } catch (error) {
        // Leave it for the next run, so that the remaining files are still removed.
        deps.files.log.warn({ err: error, file: file.id }, 'removing a file failed, will retry later');
      }
      after = file.id;
    }
    if (page.length < batchSize) return removed;
  }
}
