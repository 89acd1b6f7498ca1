import { audited, record } from '@sheaf/events';
import { authorizeIn, isId, newId, Problem, workspaceRoles, type Scope, type User } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { accessChanged } from './access-changed';
import * as credentials from './credentials.queries';
import type { Deps } from './deps';
import { fingerprint, newKey, shownPrefix } from './key';
import type { ServiceAccountRow } from './rows';

/** A service account reaches the whole instance, so an owner or admin of any of its workspaces decides about them. */
function authorizeManaging(caller: User): void {
  const roles = Object.values(caller.roles);
  authorizeIn(workspaceRoles.find((role) => roles.includes(role)), 'manage service accounts');
}

/** A new service account with its first key, which is in this answer and nowhere else. */
export async function createServiceAccount(
  deps: Deps,
  asked: Asked<User>,
  wanted: { name: string; scopes: readonly Scope[] },
): Promise<{ account: ServiceAccountRow; key: string }> {
  const { caller } = asked;
  authorizeManaging(caller);

  const now = deps.clock.now();
  const key = newKey('service_account');
  const account: ServiceAccountRow = { id: newId(), name: wanted.name, scopes: [...wanted.scopes], created_at: now };
  await deps.outbox.transaction(async (trx) => {
    await credentials.insertServiceAccount(trx, { ...account, instance_id: caller.instanceId });
    await credentials.insertKey(trx, {
      id: newId(),
      instance_id: caller.instanceId,
      person_id: null,
      service_account_id: account.id,
      name: wanted.name,
      prefix: shownPrefix(key),
      hash: fingerprint(key),
      created_at: now,
      last_used_at: null,
      expires_at: null,
    });
    await record(
      trx,
      audited(asked, { action: 'service_account.created', target: { kind: 'service_account', id: account.id }, details: { scopes: account.scopes } }, now),
    );
  });
  return { account, key };
}

export async function listServiceAccounts({ db }: Deps, caller: User): Promise<ServiceAccountRow[]> {
  authorizeManaging(caller);
  return credentials.serviceAccounts(db, caller.instanceId);
}

/** The account and all of its keys are worth nothing from now on. */
export async function deleteServiceAccount(deps: Deps, asked: Asked<User>, { id }: { id: string }): Promise<void> {
  const { caller } = asked;
  authorizeManaging(caller);
  if (!isId(id)) throw Problem.notFound('service account');

  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const deleted = await credentials.deleteServiceAccount(trx, caller.instanceId, id, now);
    if (!deleted) throw Problem.notFound('service account');
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [id] }, now),
      audited(asked, { action: 'service_account.deleted', target: { kind: 'service_account', id } }, now),
    );
  });
}
