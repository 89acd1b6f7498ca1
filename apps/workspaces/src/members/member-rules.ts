import { maySetRole, Problem, type WorkspaceRole } from '@sheaf/kernel';
import type { LockedMember } from '../people/people.queries';

/**
 * Refuses changes that would leave a workspace without an owner, and changes of owners by admins. An owner who has not accepted their
 * invitation does not count as the remaining owner: they may never accept it.
 * @param members The owners of the workspace and this member, locked.
 * @param to The new role; undefined to remove the member.
 */
export function refuseChange(
  callerRole: WorkspaceRole | undefined,
  member: LockedMember,
  members: readonly LockedMember[],
  to?: WorkspaceRole,
): void {
  if (to === 'owner' && !maySetRole(callerRole, to)) throw Problem.forbidden('Only an owner can make somebody an owner.');
  if (member.role !== 'owner' || to === 'owner') return;
  if (!maySetRole(callerRole, 'owner'))
    throw Problem.forbidden(to === undefined ? 'Only an owner can remove an owner.' : 'Only an owner can change the role of an owner.');
  const hasOtherOwner = members.some(
    ({ person_id, role, can_sign_in }) => person_id !== member.person_id && role === 'owner' && can_sign_in,
  );
  if (!hasOtherOwner)
    throw Problem.badRequest(to === undefined ? 'The last owner cannot be removed.' : 'role: the last owner must remain an owner');
}
