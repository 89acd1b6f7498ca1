import { authorizeOnFolder, folderRole, isId, canActOnFolder, Problem, type Client, type FolderAccess } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { toFolderAccess, type Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as folders from './folders.queries';

export const notInWorkspace = () => Problem.badRequest('folder_id: must be in the workspace of the form');

const noSuchFolder = () => Problem.badRequest('folder_id: there is no such folder');

/**
 * The folder in which the caller wants to file a form. Call this before opening a transaction.
 * @throws Problem `bad_request` unless the id is that of a folder in the caller's instance and, for people, in their active workspace;
 *   `forbidden` without edit access to it.
 */
export async function folderToFileIn(deps: Pick<Deps, 'workspaces'>, asked: Asked<Client>, id: string): Promise<FolderAccess> {
  const folder = await findFolder(deps, asked, id);
  if (!folder) throw noSuchFolder();
  if (asked.caller.kind === 'user' && folder.workspaceId !== asked.caller.workspaceId)
    throw Problem.badRequest('folder_id: must be in the active workspace');
  authorizeOnFolder(folderRole(asked.caller, folder), 'put forms into this folder');
  return folder;
}

/** Checks the folder for an existing form of this workspace. */
export async function folderInWorkspace(
  deps: Pick<Deps, 'workspaces'>,
  asked: Asked<Client>,
  id: string,
  workspaceId: string,
): Promise<void> {
  const folder = await folderToFileIn(deps, asked, id);
  if (folder.workspaceId !== workspaceId) throw notInWorkspace();
}

/** Checks the folder for a form that is new in the given workspace, which need not be the active one. */
export async function folderOfWorkspace(
  deps: Pick<Deps, 'workspaces'>,
  asked: Asked<Client>,
  id: string,
  workspaceId: string,
): Promise<void> {
  const folder = await findFolder(deps, asked, id);
  if (!folder) throw noSuchFolder();
  if (folder.workspaceId !== workspaceId) throw Problem.badRequest('folder_id: must be in the workspace');
  authorizeOnFolder(folderRole(asked.caller, folder), 'put forms into this folder');
}

/** Whether the folder exists and the caller may file forms in it. */
export async function mayFileIn(deps: Pick<Deps, 'workspaces'>, asked: Asked<Client>, id: string): Promise<boolean> {
  const folder = await findFolder(deps, asked, id);
  return folder !== undefined && canActOnFolder(folderRole(asked.caller, folder), 'put forms into this folder');
}

/** Refuses a folder that was deleted since it was loaded, and ensures that the form is unfiled if the folder is deleted later. */
export async function enterFolder(trx: Transaction, id: string): Promise<void> {
  if (!(await folders.holdFolder(trx, id))) throw noSuchFolder();
}

async function findFolder(
  { workspaces }: Pick<Deps, 'workspaces'>,
  { call }: Asked<Client>,
  id: string,
): Promise<FolderAccess | undefined> {
  if (!isId(id)) return undefined;
  try {
    return toFolderAccess(await workspaces.getFolder(call, { id }));
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  }
}
