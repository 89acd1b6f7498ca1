import { FolderDeleted } from '@sheaf/contracts';
import { readEvents, record, type DomainEvent } from '@sheaf/events';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { formChanged } from '../form/form-changed';
import * as folders from './folders.queries';

/** Forms per transaction, so that a change to one of them never waits for a large folder. */
const batchSize = 200;

/**
 * Unfiles all forms of deleted folders. Their `updated_at` is unchanged: no user has changed them, and lists would otherwise show them
 * before the forms that users have worked on. Handling an event twice changes nothing.
 */
export async function unfileForms(deps: Pick<Deps, 'db' | 'outbox' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { data } of readEvents(log, events, 'folder.deleted', FolderDeleted, ['folder_id'])) {
    const { folder_id: folderId } = data;
    await folders.markDeleted(deps.db, folderId);
    while ((await unfileSome(deps, folderId)) > 0);
  }
}

function unfileSome({ outbox, clock }: Pick<Deps, 'outbox' | 'clock'>, folderId: string): Promise<number> {
  return outbox.transaction(async (trx) => {
    const now = clock.now();
    const unfiled = await folders.unfileSome(trx, folderId, batchSize);
    await record(trx, ...unfiled.map((form) => formChanged(form, [form.slug], now)));
    return unfiled.length;
  });
}
