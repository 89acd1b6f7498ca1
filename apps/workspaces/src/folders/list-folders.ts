import type { Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as folders from './folders.queries';
import { roleOn, type SeenFolder } from './load-folder';

/** The folders of the active workspace on which the caller has a role. Service accounts have no active workspace. */
export async function listFolders({ db }: Deps, caller: Client): Promise<SeenFolder[]> {
  if (caller.kind === 'service_account' || caller.workspaceId === undefined) return [];

  const rows = await folders.foldersOf(db, caller.instanceId, caller.workspaceId);
  return rows.flatMap((folder) => {
    const role = roleOn(caller, folder);
    return role ? [{ folder, role }] : [];
  });
}
