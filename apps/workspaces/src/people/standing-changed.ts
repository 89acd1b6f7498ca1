import type { StandingChanged } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { newId, type Scope } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { z } from 'zod';
import type { By } from '../deps';
import type { Manager } from '../members/manager';
import * as people from './people.queries';

/** Tells the services that act on it which roles a person has since. The person's row has to be locked, so that the last event is right. */
export async function rolesChanged(trx: Transaction, { caller, call }: By<Manager>, personId: string, at: Date): Promise<DomainEvent> {
  const roles = await people.rolesOf(trx, caller.instanceId, personId);
  const standing = { kind: 'user' as const, id: personId, roles: Object.fromEntries(roles.map(({ workspace_id, role }) => [workspace_id, role])), scopes: [] };
  return standingChanged(caller.instanceId, standing, at, call.trace);
}

/** The same for a service account, whose row has to be locked. One that was deleted has no scopes. */
export const scopesChanged = ({ caller, call }: By<Manager>, id: string, scopes: readonly Scope[], at: Date): DomainEvent =>
  standingChanged(caller.instanceId, { kind: 'service_account', id, roles: {}, scopes: [...scopes] }, at, call.trace);

const standingChanged = (instanceId: string, standing: z.output<typeof StandingChanged>, at: Date, trace: string | undefined): DomainEvent => ({
  id: newId(), type: 'standing.changed', instanceId, subject: standing.id, occurredAt: at, body: JSON.stringify(standing), trace,
});
