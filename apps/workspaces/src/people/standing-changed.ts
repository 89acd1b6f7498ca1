import type { StandingChanged } from '@sheaf/contracts';
import { causedBy, type Cause, type DomainEvent } from '@sheaf/events';
import { newId, type Scope } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { z } from 'zod';
import type { By } from '../deps';
import { instanceRolesOf } from '../instances/instance-members.queries';
import type { Manager } from '../members/manager';
import * as people from './people.queries';

/**
 * The event with a person's new roles, for the services that act on them. The person's row must be locked, so the last event is correct.
 */
export async function rolesChanged(trx: Transaction, { caller, call }: By<Manager>, personId: string, at: Date): Promise<DomainEvent> {
  const [event] = await rolesOfPeopleChanged(trx, { caller, call }, [personId], at);
  if (!event) throw new Error('no roles for the person');
  return event;
}

/** The events with the new roles of several people, whose rows must be locked. */
export async function rolesOfPeopleChanged(
  trx: Transaction,
  { caller, call }: By<Manager>,
  personIds: readonly string[],
  at: Date,
): Promise<DomainEvent[]> {
  const memberships = await people.membershipsOf(trx, caller.instanceId, personIds);
  const instanceRoles = await instanceRolesOf(trx, caller.instanceId, personIds);
  return personIds.map((id) => {
    const own = memberships.filter(({ person_id }) => person_id === id);
    const roles = Object.fromEntries(own.map(({ workspace_id, role }) => [workspace_id, role]));
    const instance_role = instanceRoles.get(id) ?? null;
    return standingChanged(caller.instanceId, { kind: 'user', id, roles, instance_role, scopes: [] }, at, call);
  });
}

/** The event with a service account's new scopes; none after its deletion. Its row must be locked. */
export const scopesChanged = ({ caller, call }: By<Manager>, id: string, scopes: readonly Scope[], at: Date): DomainEvent =>
  standingChanged(caller.instanceId, { kind: 'service_account', id, roles: {}, scopes: [...scopes] }, at, call);

const standingChanged = (instanceId: string, standing: z.output<typeof StandingChanged>, at: Date, cause: Cause): DomainEvent => ({
  id: newId(),
  type: 'standing.changed',
  instanceId,
  subject: standing.id,
  occurredAt: at,
  body: JSON.stringify(standing),
  ...causedBy(cause),
});
