import { authorizeOnFolder, folderRole, isId, mayOnFolder, Problem, type Client, type FolderAccess } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { toFolderAccess, type Asked } from '@sheaf/rpc';
import type { Deps } from './deps';
import * as folders from './folders.queries';

const noSuchFolder = () => Problem.badRequest('folder_id: there is no such folder');

/**
 * The folder that the caller wants to put a form into. To be asked before a transaction opens.
 * @throws Problem `bad_request` for anything that is no folder of the caller's instance, or for a person no folder of their active
 *   workspace; `forbidden` without edit access to it.
 */
export async function folderToFileIn(deps: Pick<Deps, 'workspaces'>, asked: Asked<Client>, id: string): Promise<FolderAccess> {
  const folder = await findFolder(deps, asked, id);
  if (!folder) throw noSuchFolder();
  if (asked.caller.kind === 'user' && folder.workspaceId !== asked.caller.workspaceId) throw Problem.badRequest('folder_id: must be in the active workspace');
  authorizeOnFolder(folderRole(asked.caller, folder), 'put forms into this folder');
  return folder;
}

/** The same for a form that stays in its workspace, and so does its folder. */
export async function folderInWorkspace(deps: Pick<Deps, 'workspaces'>, asked: Asked<Client>, id: string, workspaceId: string): Promise<void> {
  const folder = await folderToFileIn(deps, asked, id);
  if (folder.workspaceId !== workspaceId) throw Problem.badRequest('folder_id: is not in the workspace of the form');
}

/** Whether the caller may put forms into the folder, if it is there at all. */
export async function mayFileIn(deps: Pick<Deps, 'workspaces'>, asked: Asked<Client>, id: string): Promise<boolean> {
  const folder = await findFolder(deps, asked, id);
  return folder !== undefined && mayOnFolder(folderRole(asked.caller, folder), 'put forms into this folder');
}

/** Makes sure that the folder was not deleted since it was asked for, and that the form is unfiled if it is from now on. */
export async function enterFolder(trx: Transaction, id: string): Promise<void> {
  if (!(await folders.holdFolder(trx, id))) throw noSuchFolder();
}

async function findFolder({ workspaces }: Pick<Deps, 'workspaces'>, { call }: Asked<Client>, id: string): Promise<FolderAccess | undefined> {
  if (!isId(id)) return undefined;
  try {
    return toFolderAccess(await workspaces.getFolder(call, { id }));
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined;
    throw error;
  }
}
