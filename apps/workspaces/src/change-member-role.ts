import { record } from '@sheaf/events';
import { authorizeIn, isId, Problem, type User, type WorkspaceRole } from '@sheaf/kernel';
import { accessChanged } from './access-changed';
import type { Deps } from './deps';
import { refuseChange } from './member-rules';
import * as people from './people.queries';
import type { MemberRow } from './people.queries';

/** Gives a member of a workspace another role there, which counts in every process at once. */
export async function changeMemberRole(
  deps: Deps,
  caller: User,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: WorkspaceRole },
): Promise<MemberRow> {
  if (!isId(workspaceId) || !(await people.workspaceExists(deps.db, caller.instanceId, workspaceId))) throw Problem.notFound('workspace');
  const own = caller.roles[workspaceId];
  authorizeIn(own, 'manage the members of this workspace');
  const person = isId(userId) ? await people.personById(deps.db, userId) : undefined;

  return deps.outbox.transaction(async (trx) => {
    const members = person ? await people.lockOwnersAnd(trx, workspaceId, person.id) : [];
    const member = members.find(({ person_id }) => person_id === userId);
    if (!person || !member) throw Problem.notFound('member');
    refuseChange(own, member, members, role);

    if (member.role !== role) {
      await people.setRole(trx, { workspaceId, personId: person.id, role });
      await record(trx, accessChanged(caller.instanceId, { principalIds: [person.id] }, deps.clock.now()));
    }
    return { ...person, role, created_at: member.created_at };
  });
}
