import { maySetRole, Problem, type WorkspaceRole } from '@sheaf/kernel';
import type { LockedMember } from '../people/people.queries';

/**
 * Refuses what would leave a workspace without an owner, and an admin who decides about owners. One who has not accepted their
 * invitation does not count as the owner that has to stay: they may never come.
 * @param members the owners of the workspace and this member, locked.
 * @param to what they become, undefined for no member any more.
 */
export function refuseChange(own: WorkspaceRole | undefined, member: LockedMember, members: readonly LockedMember[], to?: WorkspaceRole): void {
  if (to === 'owner' && !maySetRole(own, to)) throw Problem.forbidden('Only an owner can make somebody an owner.');
  if (member.role !== 'owner' || to === 'owner') return;
  if (!maySetRole(own, 'owner')) throw Problem.forbidden(to === undefined ? 'Only an owner can remove an owner.' : 'Only an owner can change the role of an owner.');
  const others = members.some(({ person_id, role, can_sign_in }) => person_id !== member.person_id && role === 'owner' && can_sign_in);
  if (!others) throw Problem.badRequest(to === undefined ? 'The last owner cannot be removed.' : 'role: the last owner has to stay one');
}
