import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, maySetRole, newId, Problem, type WorkspaceRole } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { accessChanged } from '../people/access-changed';
import type { By, CommandDeps } from '../deps';
import { inviteOrKeep, type Invited } from './invitations';
import { isPending } from './is-pending';
import { roleIn, type Manager } from './manager';
import { refuseChange } from './member-rules';
import * as people from '../people/people.queries';
import type { PersonRow } from '../rows';
import { rolesChanged } from '../people/standing-changed';

export interface Added {
  person: PersonRow;
  role: WorkspaceRole;
  createdAt: Date;
  /** Only for a person without a password. */
  invitation: Invited | undefined;
}

/**
 * Adds a person to a workspace by their address. A member who has not accepted their invitation is invited again, with this role, if the
 * caller could grant all of their pending access. The new token replaces the old one.
 */
export async function addMember(
  deps: CommandDeps,
  asked: By<Manager>,
  wanted: { workspaceId: string; email: string; name: string | undefined; role: WorkspaceRole },
): Promise<Added> {
  const { caller } = asked;
  if (!isId(wanted.workspaceId) || !(await people.workspaceExists(deps.db, caller.instanceId, wanted.workspaceId)))
    throw Problem.notFound('workspace');
  const role = roleIn(caller, wanted.workspaceId);
  authorizeIn(role, 'manage the members of this workspace');
  if (!maySetRole(role, wanted.role)) throw Problem.forbidden('Only an owner can make somebody an owner.');

  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const email = wanted.email.toLowerCase();
    const person = await people.ensurePerson(trx, {
      id: newId(),
      instance_id: caller.instanceId,
      email,
      name: wanted.name ?? email,
      avatar_url: '',
      password_hash: null,
      first_signed_in_at: null,
      created_at: now,
    });
    const member = await addOrChange(trx, role, wanted, person, now);

    const invitation = isPending(person) ? await inviteOrKeep(deps, trx, caller, person) : undefined;
    if (member && invitation?.state !== 'made') throw cannotInviteAgain();
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [person.id] }, now),
      await rolesChanged(trx, asked, person.id, now),
      audited(
        asked,
        {
          action: 'member.added',
          target: { kind: 'member', id: person.id },
          workspaceId: wanted.workspaceId,
          details: { role: wanted.role },
        },
        now,
      ),
    );
    return { person, role: wanted.role, createdAt: member?.created_at ?? now, invitation };
  });
}

/** @returns the previous membership, if any; only a person who has not accepted their invitation can have one. */
async function addOrChange(
  trx: Transaction,
  callerRole: WorkspaceRole | undefined,
  wanted: { workspaceId: string; role: WorkspaceRole },
  person: PersonRow,
  now: Date,
): Promise<people.LockedMember | undefined> {
  const members = await people.lockOwnersAndMember(trx, wanted.workspaceId, person.id);
  const member = members.find(({ person_id }) => person_id === person.id);
  if (member) {
    if (!isPending(person)) throw Problem.conflict('email: is already a member of this workspace');
    refuseChange(callerRole, member, members, wanted.role);
    await people.setRole(trx, { workspaceId: wanted.workspaceId, personId: person.id, role: wanted.role });
  } else {
    await people.insertMember(trx, {
      workspace_id: wanted.workspaceId,
      instance_id: person.instance_id,
      person_id: person.id,
      role: wanted.role,
      created_at: now,
    });
  }
  return member;
}

const cannotInviteAgain = () =>
  Problem.conflict(
    'email: is already a member of this workspace; only a person who could grant all of their pending roles can invite them again',
  );
