import type { PersonErased } from '@sheaf/contracts';
import { audited, erasureBegun, record, type DomainEvent } from '@sheaf/events';
import { isId, maySetRole, newId, Problem, type InstanceRole, type User } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { By, CommandDeps, Deps } from '../deps';
import { lockInstanceOwnersAnd } from '../instances/instance-members.queries';
import { authorizeManager, instanceRoleIn, type Manager } from '../members/manager';
import { isPassword } from '../sessions/password';
import { forgetAccount, withinAttempts } from '../sessions/sign-in-throttle';
import type { PersonRow } from '../rows';
import { accessChanged } from './access-changed';
import * as erasing from './erase-person.queries';
import type { HeldMembership } from './erase-person.queries';
import * as people from './people.queries';
import { rolesChanged } from './standing-changed';

/**
 * Erases another person for good, in all workspaces of the instance.
 * @returns the id under which the erasure is followed
 * @param mayBeLast whether the instance may be left without an owner
 * @throws Problem `conflict` for the last owner of a workspace or of the instance
 */
export async function erasePerson(
  deps: Pick<CommandDeps, 'outbox' | 'clock'>,
  asked: By<Manager>,
  { id }: { id: string },
  { mayBeLast = false }: { mayBeLast?: boolean } = {},
): Promise<string> {
  const { caller } = asked;
  authorizeManager(caller, 'erase people');
  // An open session or a stolen key alone must not be enough to erase its person.
  if (caller.id === id) throw Problem.badRequest('id: must be another person; to erase yourself, confirm it with your password');
  return erase(deps, asked, id, 'requested', ({ instanceRole, isLastOwner }) => {
    if (instanceRole !== undefined && !maySetRole(instanceRoleIn(caller), instanceRole))
      throw Problem.forbidden('Only an owner of the instance can erase one.');
    if (!mayBeLast) refuseLastOwnerOfInstance(isLastOwner);
  });
}

/** Erases the caller for good, after checking their password as for signing in. */
export async function eraseProfile(deps: Deps, asked: Asked<User>, { password }: { password: string }): Promise<string> {
  const { caller, call } = asked;
  const person = await people.personById(deps.db, caller.instanceId, caller.id);
  if (!person) throw Problem.unauthorized('person not found');
  const matches = await withinAttempts(
    deps,
    { instanceId: caller.instanceId, email: person.email, address: call.address, sessionId: caller.credentialId },
    async () => (await isPassword(password, person.password_hash)) || undefined,
  );
  if (!matches) throw wrongPassword();
  // Without their IP address, which the erasure removes from the audit log.
  const withoutAddress = { caller, call: { requestId: call.requestId, trace: call.trace } };
  return erase(deps, withoutAddress, caller.id, 'person', ({ person: { password_hash }, isLastOwner }) => {
    if (password_hash !== person.password_hash) throw wrongPassword();
    refuseLastOwnerOfInstance(isLastOwner);
  });
}

// Not 401, because the session is still valid.
const wrongPassword = () => Problem.badRequest('password: is not your password');

const awaited = ['workspaces', 'forms', 'hooks'] as const;

/** The id remains: in the audit log, and wherever the person has made or changed something. */
async function erase(
  { outbox, clock }: Pick<CommandDeps, 'outbox' | 'clock'>,
  asked: By<Manager>,
  id: string,
  reason: 'requested' | 'person',
  authorizeErasure: (found: { person: PersonRow; instanceRole: InstanceRole | undefined; isLastOwner: boolean }) => void,
): Promise<string> {
  const { instanceId } = asked.caller;
  const erasureId = newId();
  await outbox.transaction(async (trx) => {
    const person = isId(id) ? await erasing.lockPersonToErase(trx, instanceId, id) : undefined;
    if (!person) throw Problem.notFound('person');
    const memberships = await erasing.lockMemberships(trx, instanceId, person.id);
    const running = await lockInstanceOwnersAnd(trx, instanceId, person.id);
    const instanceRole = running.find(({ person_id }) => person_id === person.id)?.role;
    const others = running.filter(({ person_id, can_sign_in }) => person_id !== person.id && can_sign_in);
    authorizeErasure({ person, instanceRole, isLastOwner: instanceRole === 'owner' && others.length === 0 });
    refuseLastOwner(memberships);

    const now = clock.now();
    await erasing.deletePerson(trx, person);
    await forgetAccount(trx, { instanceId, email: person.email });
    await erasing.insertErased(trx, { instance_id: instanceId, person_id: person.id, erasure_id: erasureId, erased_at: now });
    await record(
      trx,
      accessChanged(instanceId, { principalIds: [person.id] }, now),
      await rolesChanged(trx, asked, person.id, now),
      personErased(person, erasureId, now),
      erasureBegun(asked, { id: erasureId, kind: 'person', targetId: person.id, reason, awaited }, now),
      audited(asked, { action: 'person.erased', target: { kind: 'user', id: person.id }, details: { erasure: erasureId } }, now),
    );
  });
  return erasureId;
}

function refuseLastOwnerOfInstance(isLastOwner: boolean): void {
  if (isLastOwner) throw Problem.conflict('This person is the last owner of the instance. Make somebody else an owner first.');
}

/** How many workspaces the refusal names. */
const maxNamed = 10;

function refuseLastOwner(memberships: readonly HeldMembership[]): void {
  const names = memberships.filter(({ is_last_owner }) => is_last_owner).map(({ name }) => name);
  if (names.length === 0) return;
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  throw Problem.conflict(
    `This person is the last owner of a workspace: ${names.slice(0, maxNamed).join(', ')}${more}. Make somebody else an owner first.`,
  );
}

function personErased({ id, instance_id }: PersonRow, erasureId: string, at: Date): DomainEvent {
  const body: z.output<typeof PersonErased> = { erasure_id: erasureId, person_id: id };
  return { id: newId(), type: 'person.erased', instanceId: instance_id, subject: id, occurredAt: at, body: JSON.stringify(body) };
}
