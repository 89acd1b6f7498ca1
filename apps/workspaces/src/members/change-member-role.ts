import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, Problem, type User, type WorkspaceRole } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { accessChanged } from '../people/access-changed';
import type { Deps } from '../deps';
import { endInvalidInvitations } from './invitations';
import { isPending } from './is-pending';
import { refuseChange } from './member-rules';
import * as people from '../people/people.queries';
import type { MemberRow } from '../people/people.queries';
import { rolesChanged } from '../people/standing-changed';

/**
 * Changes the role of a member of a workspace, immediately in every process. A pending invitation ends if its inviter could not grant the
 * new role.
 */
export async function changeMemberRole(
  deps: Deps,
  asked: Asked<User>,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: WorkspaceRole },
): Promise<MemberRow> {
  const { caller } = asked;
  if (!isId(workspaceId) || !(await people.workspaceExists(deps.db, caller.instanceId, workspaceId))) throw Problem.notFound('workspace');
  const callerRole = caller.roles[workspaceId];
  authorizeIn(callerRole, 'manage the members of this workspace');

  return deps.outbox.transaction(async (trx) => {
    const person = isId(userId) ? await people.lockPerson(trx, caller.instanceId, userId) : undefined;
    const members = person ? await people.lockOwnersAndMember(trx, workspaceId, person.id) : [];
    const member = members.find(({ person_id }) => person_id === userId);
    if (!person || !member) throw Problem.notFound('member');
    refuseChange(callerRole, member, members, role);

    if (member.role !== role) {
      await people.setRole(trx, { workspaceId, personId: person.id, role });
      if (isPending(person)) await endInvalidInvitations(deps, trx, person);
      const now = deps.clock.now();
      await record(
        trx,
        accessChanged(caller.instanceId, { principalIds: [person.id] }, now),
        await rolesChanged(trx, asked, person.id, now),
        audited(asked, { action: 'member.role_changed', target: { kind: 'member', id: person.id }, workspaceId, details: { role } }, now),
      );
    }
    return { ...person, role, created_at: member.created_at };
  });
}
