import { randomBytes } from 'node:crypto';
import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, newId, Problem, type User, type WorkspaceRole } from '@sheaf/kernel';
import { whenViolated } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { accessChanged } from './access-changed';
import type { Deps } from './deps';
import { fingerprint } from './key';
import * as people from './people.queries';
import type { PersonRow } from './rows';
import { daysAfter } from './sessions';

export interface Added {
  person: PersonRow;
  role: WorkspaceRole;
  createdAt: Date;
  /** For somebody without a password: whoever holds it may make one. */
  invitationToken: string | undefined;
}

/** Makes somebody a member of a workspace, by their address. */
export async function addMember(
  deps: Deps,
  asked: Asked<User>,
  wanted: { workspaceId: string; email: string; name: string | undefined; role: WorkspaceRole },
): Promise<Added> {
  const { caller } = asked;
  if (!isId(wanted.workspaceId) || !(await people.workspaceExists(deps.db, caller.instanceId, wanted.workspaceId))) throw Problem.notFound('workspace');
  const role = caller.roles[wanted.workspaceId];
  authorizeIn(role, 'manage the members of this workspace');
  if (wanted.role === 'owner' && role !== 'owner') throw Problem.forbidden('Only an owner can make somebody an owner.');

  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const email = wanted.email.toLowerCase();
    const person = await people.ensurePerson(trx, {
      id: newId(), email, name: wanted.name ?? email, avatar_url: '', password_hash: null, created_at: now,
    });
    await people
      .insertMember(trx, { workspace_id: wanted.workspaceId, instance_id: caller.instanceId, person_id: person.id, role: wanted.role, created_at: now })
      .catch(whenViolated({ member_pkey: () => Problem.conflict('email: is a member of this workspace already') }));

    const invitationToken = person.password_hash === null ? randomBytes(32).toString('base64url') : undefined;
    if (invitationToken !== undefined) {
      await people.insertInvitation(trx, {
        token_hash: fingerprint(invitationToken),
        instance_id: caller.instanceId,
        person_id: person.id,
        expires_at: daysAfter(now, deps.settings.INVITATION_DAYS),
        created_at: now,
      });
    }
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [person.id] }, now),
      audited(asked, { action: 'member.added', target: { kind: 'member', id: person.id }, workspaceId: wanted.workspaceId, details: { role: wanted.role } }, now),
    );
    return { person, role: wanted.role, createdAt: now, invitationToken };
  });
}
