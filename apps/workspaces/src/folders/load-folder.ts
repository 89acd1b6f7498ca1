import { folderRole, isId, Problem, type Client, type FolderRole } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import * as folders from './folders.queries';
import type { FolderRow } from '../rows';

/** A folder and what the caller is to it, before anything was decided about access. */
export interface LoadedFolder {
  folder: FolderRow;
  role: FolderRole | undefined;
}

/** A folder as it is shown to somebody with a role on it. */
export interface SeenFolder extends LoadedFolder {
  role: FolderRole;
}

export const roleOn = (caller: Client, { workspace_id, creator_kind, creator_id }: FolderRow): FolderRole | undefined =>
  folderRole(caller, { workspaceId: workspace_id, creator: { kind: creator_kind, id: creator_id } });

/** @throws Problem `not_found` for anything that is no folder of the caller's instance. */
export async function loadFolder(db: Database, caller: Client, id: string): Promise<LoadedFolder> {
  const folder = isId(id) ? await folders.folderById(db, caller.instanceId, id) : undefined;
  if (!folder) throw Problem.notFound('folder');
  return { folder, role: roleOn(caller, folder) };
}

/** The same for whoever is about to change it: no folder of its workspace changes until the transaction is over. */
export async function lockFolder(trx: Transaction, caller: Client, id: string): Promise<LoadedFolder> {
  const { folder } = await loadFolder(trx, caller, id);
  await folders.lockTree(trx, folder.workspace_id);
  // Read again, as somebody may have been faster. A folder never leaves its workspace.
  return loadFolder(trx, caller, id);
}

/**
 * @throws Problem `bad_request` for anything that is no folder of this workspace, or of the instance where none is given; for a person
 *   also for a folder outside their active workspace.
 */
export async function parentFolder(db: Database, caller: Client, id: string, workspaceId?: string): Promise<FolderRow> {
  const parent = isId(id) ? await folders.folderById(db, caller.instanceId, id) : undefined;
  if (!parent || (workspaceId !== undefined && parent.workspace_id !== workspaceId)) throw Problem.badRequest('parent_id: there is no such folder');
  if (caller.kind === 'user' && parent.workspace_id !== caller.workspaceId) throw Problem.badRequest('parent_id: must lie in the active workspace');
  return parent;
}
