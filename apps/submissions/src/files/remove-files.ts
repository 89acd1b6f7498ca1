import type { Deps } from '../deps';
import * as files from './files.queries';
import type { FileKey } from './files.queries';

/** Ids only: nothing that a client sent becomes a path. */
export const storageKey = ({ instance_id, form_id, id }: FileKey): string => `${instance_id}/${form_id}/${id}`;

const batch = 100;
const hourMs = 3_600_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Removes a file that no submission has. First nobody can claim it any more, then its bytes go, then the row: a process that dies in
 * between leaves the row, and whoever comes next goes on. Two at once do no harm.
 */
export async function discard({ db, files: { storage } }: Pick<Deps, 'db' | 'files'>, file: FileKey): Promise<void> {
  if (!(await files.giveUp(db, file.id))) return;
  await storage.remove(storageKey(file));
  await files.forget(db, file.id);
}

/** Removes the files that no submission claimed in time, and what uploads left that broke off. @returns how many */
export async function removeUnclaimed(deps: Pick<Deps, 'db' | 'clock' | 'files'>): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - deps.files.unclaimedHours * hourMs);
  while ((await files.giveUpOlder(deps.db, before, batch)) === batch);

  let removed = 0;
  let after = firstId;
  for (;;) {
    const page = await files.givenUp(deps.db, after, batch);
    for (const file of page) {
      try {
        await discard(deps, file);
        removed++;
      } catch (error) {
        // It stays for the next time, and keeps nobody else's from being removed.
        deps.files.log.warn({ err: error, file: file.id }, 'a file could not be removed');
      }
      after = file.id;
    }
    if (page.length < batch) return removed;
  }
}
