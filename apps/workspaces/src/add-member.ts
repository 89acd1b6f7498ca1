import { randomBytes } from 'node:crypto';
import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, maySetRole, newId, Problem, type WorkspaceRole } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { accessChanged } from './access-changed';
import { daysAfter } from './days-after';
import type { By, CommandDeps } from './deps';
import { fingerprint } from './key';
import { roleIn, type Manager } from './manager';
import { refuseChange } from './member-rules';
import * as people from './people.queries';
import type { PersonRow } from './rows';

export interface Added {
  person: PersonRow;
  role: WorkspaceRole;
  createdAt: Date;
  /** For somebody without a password: whoever holds it may make one. None where others wait for them with more than the caller could give. */
  invitationToken: string | undefined;
}

/**
 * Makes somebody a member of a workspace, by their address. Somebody who is one already and has not accepted their invitation is
 * invited again: with this role, and by a new token in place of the old one.
 */
export async function addMember(
  deps: CommandDeps,
  asked: By<Manager>,
  wanted: { workspaceId: string; email: string; name: string | undefined; role: WorkspaceRole },
): Promise<Added> {
  const { caller } = asked;
  if (!isId(wanted.workspaceId) || !(await people.workspaceExists(deps.db, caller.instanceId, wanted.workspaceId))) throw Problem.notFound('workspace');
  const role = roleIn(caller, wanted.workspaceId);
  authorizeIn(role, 'manage the members of this workspace');
  if (!maySetRole(role, wanted.role)) throw Problem.forbidden('Only an owner can make somebody an owner.');

  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const email = wanted.email.toLowerCase();
    const person = await people.ensurePerson(trx, {
      id: newId(), instance_id: caller.instanceId, email, name: wanted.name ?? email, avatar_url: '', password_hash: null, created_at: now,
    });
    const invited = person.password_hash === null && (await mayInvite(trx, caller, person.id));
    const members = await people.lockOwnersAnd(trx, wanted.workspaceId, person.id);
    const member = members.find(({ person_id }) => person_id === person.id);
    if (member) {
      if (!invited) throw Problem.conflict('email: is a member of this workspace already');
      refuseChange(role, member, members, wanted.role);
      await people.setRole(trx, { workspaceId: wanted.workspaceId, personId: person.id, role: wanted.role });
    } else {
      await people.insertMember(trx, {
        workspace_id: wanted.workspaceId, instance_id: caller.instanceId, person_id: person.id, role: wanted.role, created_at: now,
      });
    }

    const invitationToken = invited ? await invite(deps, trx, caller.instanceId, person.id) : undefined;
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [person.id] }, now),
      audited(asked, { action: 'member.added', target: { kind: 'member', id: person.id }, workspaceId: wanted.workspaceId, details: { role: wanted.role } }, now),
    );
    return { person, role: wanted.role, createdAt: member?.created_at ?? now, invitationToken };
  });
}

/** A token in place of any before it. */
export async function invite({ clock, settings }: CommandDeps, trx: Transaction, instanceId: string, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await people.deleteInvitations(trx, instanceId, personId);
  await people.insertInvitation(trx, {
    token_hash: fingerprint(token),
    instance_id: instanceId,
    person_id: personId,
    expires_at: daysAfter(now, settings.INVITATION_DAYS),
    created_at: now,
  });
  return token;
}

/**
 * Whoever holds the token becomes this person, with everything that waits for them. So only who could have given all of that gets one:
 * else the admin of one workspace would be handed an owner's place in another.
 */
async function mayInvite(trx: Transaction, caller: Manager, personId: string): Promise<boolean> {
  return (await people.rolesOf(trx, caller.instanceId, personId)).every(({ workspace_id, role }) => maySetRole(roleIn(caller, workspace_id), role));
}
