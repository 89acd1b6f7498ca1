import { authorizeIn, isId, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from '../people/people.queries';
import type { MemberRow } from '../people/people.queries';

/** The members of one of the caller's workspaces. A workspace that does not exist is refused like one where they are not a member. */
export async function listMembers({ db }: Deps, caller: Client, { workspaceId }: { workspaceId: string }): Promise<MemberRow[]> {
  const role = caller.kind === 'user' && isId(workspaceId) ? caller.roles[workspaceId] : undefined;
  authorizeIn(role, 'read the members of this workspace');
  return people.membersOf(db, caller.instanceId, workspaceId);
}
