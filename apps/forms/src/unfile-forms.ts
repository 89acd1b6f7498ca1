import { FolderDeleted } from '@sheaf/contracts';
import { record, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Log } from '@sheaf/runtime';
import type { Deps } from './deps';
import * as folders from './folders.queries';
import { formChanged } from './form-changed';

/** A transaction locks at most as many forms, so that whoever changes one of them does not wait for all of a large folder. */
const atOnce = 200;

/**
 * Takes all forms out of folders that were deleted. Their `updated_at` stays as it is: nobody changed them, and the lists, the most
 * recently updated first, would show them before what people have really worked on. Hearing of a folder twice changes nothing.
 */
export async function unfileForms(deps: Pick<Deps, 'db' | 'outbox' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'folder.deleted') continue;
    const folderId = read(event);
    if (folderId === undefined) {
      // Worked off nevertheless: trying it again would not make it better, and would hold up all that comes after it.
      log.error({ eventId: event.id, type: event.type }, 'an event that cannot be read was left out');
      continue;
    }
    await folders.markDeleted(deps.db, folderId);
    while ((await unfileSome(deps, folderId)) > 0);
  }
}

function unfileSome({ outbox, clock }: Pick<Deps, 'outbox' | 'clock'>, folderId: string): Promise<number> {
  return outbox.transaction(async (trx) => {
    const now = clock.now();
    const unfiled = await folders.unfileSome(trx, folderId, atOnce);
    await record(trx, ...unfiled.map((form) => formChanged(form, [form.slug], now)));
    return unfiled.length;
  });
}

function read(event: DomainEvent): string | undefined {
  try {
    const { success, data } = FolderDeleted.safeParse(JSON.parse(event.body));
    return success && isId(data.folder_id) ? data.folder_id : undefined;
  } catch {
    return undefined;
  }
}
