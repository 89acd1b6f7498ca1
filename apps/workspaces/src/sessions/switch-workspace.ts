import { record } from '@sheaf/events';
import { Problem, type Client } from '@sheaf/kernel';
import { accessChanged } from '../people/access-changed';
import * as credentials from '../credentials/credentials.queries';
import type { Deps } from '../deps';
import * as people from '../people/people.queries';
import type { WorkspaceRow } from '../rows';

/**
 * Sets the active workspace of a session. With an API key, which always acts in its owner's default workspace, this only returns the
 * requested one.
 */
export async function switchWorkspace(deps: Deps, caller: Client, { workspaceId }: { workspaceId: string }): Promise<WorkspaceRow> {
  if (caller.kind === 'service_account') throw Problem.badRequest('A service account has no active workspace.');
  const mine = await people.workspacesOf(deps.db, caller.instanceId, caller.id);
  const workspace = mine.find(({ id }) => id === workspaceId);
  // The same answer as for a workspace that does not exist, so callers cannot learn which ones do.
  if (!workspace) throw Problem.forbidden('You are not a member of this workspace.');
  if (caller.via === 'api_key') return workspace;

  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    await credentials.setActiveWorkspace(trx, caller.credentialId, workspace.id);
    await record(trx, accessChanged(caller.instanceId, { credentialIds: [caller.credentialId] }, now));
  });
  return workspace;
}
