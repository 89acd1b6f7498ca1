import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, Problem, type User } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { accessChanged } from '../people/access-changed';
import type { Deps } from '../deps';
import * as invitations from './invitations.queries';
import { refuseChange } from './member-rules';
import * as people from '../people/people.queries';
import { rolesChanged } from '../people/standing-changed';

/**
 * Removes a member from a workspace; every member may leave. Their access through it ends immediately in every process. With their last
 * membership all of their access to the instance ends; otherwise, the forms that were shared with them would stay open to them.
 */
export async function removeMember(
  deps: Deps,
  asked: Asked<User>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  const { caller } = asked;
  if (!isId(workspaceId) || !(await people.workspaceExists(deps.db, caller.instanceId, workspaceId))) throw Problem.notFound('workspace');
  if (caller.id !== userId) authorizeIn(caller.roles[workspaceId], 'manage the members of this workspace');
  await deps.outbox.transaction((trx) => takeOut(trx, asked, { workspaceId, userId }, deps.clock.now()));
}

/** Removes a member, whoever the caller is. */
export async function takeOut(
  trx: Transaction,
  asked: Asked<User>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
  now: Date,
): Promise<void> {
  const { caller } = asked;
  const person = isId(userId) ? await people.lockPerson(trx, caller.instanceId, userId) : undefined;
  const members = person ? await people.lockOwnersAndMember(trx, workspaceId, userId) : [];
  const member = members.find(({ person_id }) => person_id === userId);
  if (!member) throw Problem.notFound('member');
  refuseChange(caller.roles[workspaceId], member, members);

  await people.deleteMember(trx, { workspace_id: workspaceId, instance_id: caller.instanceId, person_id: userId });
  // No membership is left to accept.
  if ((await people.rolesOf(trx, caller.instanceId, userId)).length === 0)
    await invitations.deleteInvitations(trx, caller.instanceId, userId);
  await record(
    trx,
    accessChanged(caller.instanceId, { principalIds: [userId] }, now),
    await rolesChanged(trx, asked, userId, now),
    audited(asked, { action: 'member.removed', target: { kind: 'member', id: userId }, workspaceId, details: { role: member.role } }, now),
  );
}
