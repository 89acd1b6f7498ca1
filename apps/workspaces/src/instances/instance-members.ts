import { audited, record } from '@sheaf/events';
import { demandSession, isId, maySetRole, Problem, type InstanceRole } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { By, CommandDeps } from '../deps';
import { isPending } from '../members/is-pending';
import { authorizeManager, instanceRoleIn, type Manager } from '../members/manager';
import { refuseChange } from '../members/member-rules';
import { accessChanged } from '../people/access-changed';
import * as people from '../people/people.queries';
import { rolesChanged } from '../people/standing-changed';
import type { PersonRow } from '../rows';
import * as queries from './instance-members.queries';
import type { InstanceMemberRow } from './instance-members.queries';

/** Few people run an instance, so their list has no pages. */
const maxMembers = 1_000;

/** A key would outlive the person's right to make others powerful. */
function authorize(caller: Manager): void {
  if (caller.kind === 'user') demandSession(caller);
  authorizeManager(caller, 'manage who runs this instance');
}

export async function listInstanceMembers({ db }: Pick<CommandDeps, 'db'>, caller: Manager): Promise<InstanceMemberRow[]> {
  authorize(caller);
  return queries.instanceMembers(db, caller.instanceId);
}

/**
 * Gives a person of the instance a role in it, immediately in every process.
 * @param who a person by id or address
 * @throws Problem `not_found`; `conflict` for a person who has not accepted their invitation, because whoever holds that would get the role
 */
export async function setInstanceRole(
  deps: Pick<CommandDeps, 'outbox' | 'clock'>,
  asked: By<Manager>,
  { who, role }: { who: { id: string } | { email: string }; role: InstanceRole },
): Promise<InstanceMemberRow> {
  const { caller } = asked;
  authorize(caller);
  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const { person, members, member } = await lockPerson(trx, caller.instanceId, who);
    if (isPending(person)) throw Problem.conflict('This person has not accepted their invitation yet.');
    if (member?.role === role) return shown(person, role, member.created_at);
    if (member) refuseChange(instanceRoleIn(caller), member, members, role);
    else if (!maySetRole(instanceRoleIn(caller), role)) throw Problem.forbidden('Only an owner can make somebody an owner.');
    else if ((await queries.countInstanceMembers(trx, caller.instanceId)) >= maxMembers)
      throw Problem.conflict(`At most ${maxMembers} people can run an instance.`);

    await queries.saveInstanceMember(trx, { instance_id: caller.instanceId, person_id: person.id, role, created_at: now });
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [person.id] }, now),
      await rolesChanged(trx, asked, person.id, now),
      audited(
        asked,
        {
          action: member ? 'instance_member.role_changed' : 'instance_member.added',
          target: { kind: 'user', id: person.id },
          details: { role },
        },
        now,
      ),
    );
    return shown(person, role, member?.created_at ?? now);
  });
}

/** Takes a person's role in the instance away, immediately in every process. Their roles in workspaces stay. Everybody may give theirs up. */
export async function removeInstanceMember(
  deps: Pick<CommandDeps, 'outbox' | 'clock'>,
  asked: By<Manager>,
  { who }: { who: { id: string } | { email: string } },
): Promise<PersonRow> {
  const { caller } = asked;
  authorize(caller);
  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const { person, members, member } = await lockPerson(trx, caller.instanceId, who);
    if (!member) throw Problem.notFound('member of the instance');
    refuseChange(instanceRoleIn(caller), member, members);

    await queries.deleteInstanceMember(trx, { instance_id: caller.instanceId, person_id: person.id });
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [person.id] }, now),
      await rolesChanged(trx, asked, person.id, now),
      audited(asked, { action: 'instance_member.removed', target: { kind: 'user', id: person.id }, details: { role: member.role } }, now),
    );
    return person;
  });
}

async function lockPerson(trx: Transaction, instanceId: string, who: { id: string } | { email: string }) {
  const id = 'id' in who ? who.id : (await people.personByEmail(trx, instanceId, who.email.toLowerCase()))?.id;
  const person = id !== undefined && isId(id) ? await people.lockPerson(trx, instanceId, id) : undefined;
  if (!person) throw Problem.notFound('person');
  const members = await queries.lockInstanceOwnersAnd(trx, instanceId, person.id);
  const member = members.find(({ person_id }) => person_id === person.id);
  // A person who was taken out of every workspace counts as unknown.
  if (!member && (await people.rolesOf(trx, instanceId, person.id)).length === 0) throw Problem.notFound('person');
  return { person, members, member };
}

const shown = ({ id, name, email, avatar_url }: PersonRow, role: InstanceRole, created_at: Date): InstanceMemberRow => ({
  id,
  name,
  email,
  avatar_url,
  role,
  created_at,
});
