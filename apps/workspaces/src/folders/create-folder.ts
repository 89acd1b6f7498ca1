import type { FolderCreateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorizeIn, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from '../deps';
import * as folders from './folders.queries';
import { parentFolder, type SeenFolder } from './load-folder';
import type { FolderRow } from '../rows';

/** The default icon if none is given. */
export const iconOrDefault = (icon: string): string => (icon === '' ? 'folder' : icon);

/** Creates a folder that the caller owns: in their active workspace, or in the given parent folder and its workspace. */
export async function createFolder(deps: Deps, asked: Asked<Client>, wanted: z.output<typeof FolderCreateRequest>): Promise<SeenFolder> {
  const { caller } = asked;
  const { parent_id: parentId } = wanted;
  const parent = parentId === undefined ? undefined : await parentFolder(deps.db, caller, parentId);
  const workspaceId = parent?.workspace_id ?? activeWorkspace(caller);
  // A service account may edit every folder of its instance, so it may create folders in all of them.
  if (caller.kind === 'user') authorizeIn(caller.roles[workspaceId], 'create folders in this workspace');

  const now = deps.clock.now();
  const folder: FolderRow = {
    id: newId(),
    instance_id: caller.instanceId,
    workspace_id: workspaceId,
    creator_kind: caller.kind,
    creator_id: caller.id,
    label: wanted.label,
    icon: iconOrDefault(wanted.icon ?? ''),
    color: wanted.color ?? '',
    parent_id: parent?.id ?? null,
    sort_order: 0,
    created_at: now,
    updated_at: now,
  };
  await deps.outbox.transaction(async (trx) => {
    if (parent) {
      await folders.lockTree(trx, workspaceId);
      // Checked again, because the parent may have been deleted meanwhile.
      await parentFolder(trx, caller, parent.id);
    }
    await folders.insertFolder(trx, folder);
    await record(trx, audited(asked, { action: 'folder.created', target: { kind: 'folder', id: folder.id }, workspaceId }, now));
  });
  return { folder, role: 'owner' };
}

function activeWorkspace(caller: Client): string {
  if (caller.kind === 'service_account') {
    throw Problem.badRequest('parent_id: is required for service accounts, which have no active workspace');
  }
  return caller.workspaceId ?? '';
}
