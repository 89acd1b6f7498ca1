import { authorizeInAny, type User } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { erasedWorkspaces } from '../workspace/erase-workspace.queries';
import { workspaceIdsOf } from '../workspace/workspaces.queries';

/** Erased workspaces whose entries are read, those erased last. */
const maxErased = 1_000;

/** @throws Problem `forbidden` for somebody who manages neither the instance nor a workspace */
export function authorizeReading(caller: User): void {
  if (caller.instanceRole === undefined) authorizeInAny(caller, 'read the audit log');
}

/**
 * The scopes whose entries the caller may read: for those who run the instance, the instance and all of its workspaces, also those that were
 * erased; for everybody else, the workspaces that they own or administer.
 */
export async function readableScopes({ db }: Pick<Deps, 'db'>, { instanceId, instanceRole, roles }: User): Promise<string[]> {
  if (instanceRole === undefined)
    return Object.entries(roles).flatMap(([workspaceId, role]) => (role === 'owner' || role === 'admin' ? [workspaceId] : []));
  const [workspaces, erased] = await Promise.all([workspaceIdsOf(db, instanceId), erasedWorkspaces(db, instanceId, maxErased)]);
  return [instanceId, ...workspaces, ...erased];
}
