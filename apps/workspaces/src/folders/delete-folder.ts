import type { FolderDeleted } from '@sheaf/contracts';
import { audited, causedBy, record } from '@sheaf/events';
import { authorizeOnFolder, newId, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from '../deps';
import * as folders from './folders.queries';
import { lockFolder } from './load-folder';

/**
 * Deletes a folder but not its contents: its subfolders move to its parent, and `forms` unfiles its forms when the event arrives. Their
 * `updated_at` is unchanged, because no user has changed them.
 */
export async function deleteFolder(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<void> {
  await deps.outbox.transaction(async (trx) => {
    const { folder, role } = await lockFolder(trx, asked.caller, id);
    authorizeOnFolder(role, 'delete this folder');

    await folders.moveContents(trx, folder.id, folder.parent_id);
    await folders.deleteFolder(trx, folder.id);
    const body: z.output<typeof FolderDeleted> = { folder_id: folder.id };
    const now = deps.clock.now();
    await record(
      trx,
      {
        id: newId(),
        type: 'folder.deleted',
        instanceId: folder.instance_id,
        subject: folder.id,
        occurredAt: now,
        body: JSON.stringify(body),
        ...causedBy(asked.call),
      },
      audited(asked, { action: 'folder.deleted', target: { kind: 'folder', id }, workspaceId: folder.workspace_id }, now),
    );
  });
}
