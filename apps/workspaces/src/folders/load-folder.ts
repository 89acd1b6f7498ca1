import { folderRole, isId, Problem, type Client, type FolderRole } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import * as folders from './folders.queries';
import type { FolderRow } from '../rows';

/** A folder and the caller's role on it, before authorization. */
export interface LoadedFolder {
  folder: FolderRow;
  role: FolderRole | undefined;
}

/** A folder as shown to a caller with a role on it. */
export interface SeenFolder extends LoadedFolder {
  role: FolderRole;
}

export const roleOn = (caller: Client, { workspace_id, creator_kind, creator_id }: FolderRow): FolderRole | undefined =>
  folderRole(caller, { workspaceId: workspace_id, creator: { kind: creator_kind, id: creator_id } });

/** @throws Problem `not_found` unless the id is that of a folder in the caller's instance. */
export async function loadFolder(db: Database, caller: Client, id: string): Promise<LoadedFolder> {
  const folder = isId(id) ? await folders.folderById(db, caller.instanceId, id) : undefined;
  if (!folder) throw Problem.notFound('folder');
  return { folder, role: roleOn(caller, folder) };
}

/** Loads a folder to change it. The folders of its workspace are locked until the end of the transaction. */
export async function lockFolder(trx: Transaction, caller: Client, id: string): Promise<LoadedFolder> {
  const { folder } = await loadFolder(trx, caller, id);
  await folders.lockTree(trx, folder.workspace_id);
  // Read again, because it may have changed before the lock. A folder never leaves its workspace.
  return loadFolder(trx, caller, id);
}

/**
 * @throws Problem `bad_request` unless the id is that of a folder in the given workspace, or in the instance if none is given; for people,
 *   also if the folder is outside their active workspace.
 */
export async function parentFolder(db: Database, caller: Client, id: string, workspaceId?: string): Promise<FolderRow> {
  const parent = isId(id) ? await folders.folderById(db, caller.instanceId, id) : undefined;
  if (!parent || (workspaceId !== undefined && parent.workspace_id !== workspaceId))
    throw Problem.badRequest('parent_id: there is no such folder');
  if (caller.kind === 'user' && parent.workspace_id !== caller.workspaceId)
    throw Problem.badRequest('parent_id: must be in the active workspace');
  return parent;
}
