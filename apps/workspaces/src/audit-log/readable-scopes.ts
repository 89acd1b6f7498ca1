import type { User } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { erasedWorkspaces } from '../workspace/erase-workspace.queries';

/** Erased workspaces whose entries are read, those erased last. */
const maxErased = 1_000;

/** The workspaces that the caller owns or administers. */
export const managedBy = (caller: User): string[] =>
  Object.entries(caller.roles).flatMap(([workspaceId, role]) => (role === 'owner' || role === 'admin' ? [workspaceId] : []));

/**
 * The scopes whose entries the caller may read: the instance, because owners and admins of each workspace also manage its service accounts, the
 * workspaces that the caller owns or administers, and for owners of any workspace also those that were erased.
 */
export async function readableScopes({ db }: Pick<Deps, 'db'>, caller: User): Promise<string[]> {
  const erased = Object.values(caller.roles).includes('owner') ? await erasedWorkspaces(db, caller.instanceId, maxErased) : [];
  return [caller.instanceId, ...managedBy(caller), ...erased];
}
