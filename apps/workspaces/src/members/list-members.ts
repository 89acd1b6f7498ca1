import { authorizeIn, isId, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from '../people/people.queries';
import type { MemberRow } from '../people/people.queries';

/** The members of a workspace that the caller is one of. One that is not there is as closed to them as any other. */
export async function listMembers({ db }: Deps, caller: Client, { workspaceId }: { workspaceId: string }): Promise<MemberRow[]> {
  const role = caller.kind === 'user' && isId(workspaceId) ? caller.roles[workspaceId] : undefined;
  authorizeIn(role, 'read the members of this workspace');
  return people.membersOf(db, caller.instanceId, workspaceId);
}
