import type { FolderUpdateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorizeOnFolder, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import { iconOrDefault } from './create-folder';
import type { Deps } from '../deps';
import * as folders from './folders.queries';
import { lockFolder, parentFolder, type SeenFolder } from './load-folder';
import type { FolderRow } from '../rows';

/** Absent fields stay unchanged; a null parent means the top level. */
export type FolderPatch = z.output<typeof FolderUpdateRequest>;

/** Changes a folder, including its place in its workspace. */
export async function updateFolder(
  deps: Deps,
  asked: Asked<Client>,
  { id, patch }: { id: string; patch: FolderPatch },
): Promise<SeenFolder> {
  const { caller } = asked;
  return deps.outbox.transaction(async (trx) => {
    const { folder, role } = await lockFolder(trx, caller, id);
    authorizeOnFolder(role, 'change this folder');
    if (typeof patch.parent_id === 'string') await refuseParent(trx, caller, folder, patch.parent_id);
    if (Object.keys(patch).length === 0) return { folder, role };

    const now = deps.clock.now();
    const { icon, ...plain } = patch;
    const changes = { ...plain, ...(icon === undefined ? {} : { icon: iconOrDefault(icon) }), updated_at: now };
    await folders.updateFolder(trx, folder.id, changes);
    await record(
      trx,
      audited(
        asked,
        {
          action: 'folder.updated',
          target: { kind: 'folder', id },
          workspaceId: folder.workspace_id,
          details: { changed: Object.keys(patch) },
        },
        now,
      ),
    );
    return { folder: { ...folder, ...changes }, role };
  });
}

async function refuseParent(trx: Transaction, caller: Client, folder: FolderRow, parentId: string): Promise<void> {
  const parent = await parentFolder(trx, caller, parentId, folder.workspace_id);
  if (await folders.isWithin(trx, parent.id, folder.id)) throw Problem.badRequest('parent_id: must not be inside the folder itself');
}
