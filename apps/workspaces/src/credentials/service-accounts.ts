import type { ServiceAccountUpdateRequest } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { isId, newId, Problem, type Scope, type User } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import { accessChanged } from '../people/access-changed';
import * as credentials from './credentials.queries';
import type { By, CommandDeps, Deps } from '../deps';
import { fingerprint, newKey, shownPrefix } from './key';
import { authorizeManager, type Manager } from '../members/manager';
import type { KeyRow, ServiceAccountRow } from '../rows';
import { scopesChanged } from '../people/standing-changed';

/** A service account with its valid keys. */
export interface ServiceAccountWithKeys extends ServiceAccountRow {
  keys: KeyRow[];
}

// One in use and its replacement.
const maxKeys = 2;

/** A service account reaches the whole instance, so only those who run it may manage one. */
const authorizeManagement = (caller: Manager): void => authorizeManager(caller, 'manage service accounts');

/** Creates a service account with its first key. Only this result contains the key itself. */
export async function createServiceAccount(
  deps: CommandDeps,
  asked: By<Manager>,
  wanted: { name: string; scopes: readonly Scope[] },
): Promise<{ account: ServiceAccountWithKeys; key: string }> {
  const { caller } = asked;
  authorizeManagement(caller);

  const now = deps.clock.now();
  const account: ServiceAccountRow = { id: newId(), name: wanted.name, scopes: [...wanted.scopes], created_at: now };
  const created = await deps.outbox.transaction(async (trx) => {
    await credentials.insertServiceAccount(trx, { ...account, instance_id: caller.instanceId });
    await record(
      trx,
      audited(
        asked,
        { action: 'service_account.created', target: { kind: 'service_account', id: account.id }, details: { scopes: account.scopes } },
        now,
      ),
    );
    return insertKey(trx, caller.instanceId, account, now);
  });
  return { account: { ...account, keys: [created.row] }, key: created.key };
}

export async function listServiceAccounts({ db, clock }: CommandDeps, caller: Manager): Promise<ServiceAccountWithKeys[]> {
  authorizeManagement(caller);
  return withKeys(db, await credentials.serviceAccounts(db, caller.instanceId), clock.now());
}

/** Changes the fields that are present. New scopes apply from the next request, in every process. */
export async function updateServiceAccount(
  deps: Deps,
  asked: Asked<User>,
  { id, patch }: { id: string; patch: z.output<typeof ServiceAccountUpdateRequest> },
): Promise<ServiceAccountWithKeys> {
  const { caller } = asked;
  const now = deps.clock.now();
  const account = await deps.outbox.transaction(async (trx) => {
    const before = await lockManaged(trx, caller, id);
    if (Object.keys(patch).length === 0) return before;
    await credentials.updateServiceAccount(trx, before.id, patch);
    if (patch.scopes)
      await record(
        trx,
        accessChanged(caller.instanceId, { principalIds: [before.id] }, now),
        scopesChanged(asked, before.id, patch.scopes, now),
      );
    const details = { changed: Object.keys(patch), ...(patch.scopes ? { scopes: patch.scopes } : {}) };
    await record(
      trx,
      audited(asked, { action: 'service_account.updated', target: { kind: 'service_account', id: before.id }, details }, now),
    );
    return { ...before, ...patch };
  });
  const [shown] = await withKeys(deps.db, [account], now);
  return shown ?? { ...account, keys: [] };
}

/** Deletes the account and revokes all of its keys. */
export async function deleteServiceAccount(
  deps: Pick<CommandDeps, 'outbox' | 'clock'>,
  asked: By<Manager>,
  { id }: { id: string },
): Promise<void> {
  const { caller } = asked;
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const account = await lockManaged(trx, caller, id);
    await credentials.deleteServiceAccount(trx, caller.instanceId, account.id, now);
    await record(
      trx,
      accessChanged(caller.instanceId, { principalIds: [account.id] }, now),
      scopesChanged(asked, account.id, [], now),
      audited(asked, { action: 'service_account.deleted', target: { kind: 'service_account', id: account.id } }, now),
    );
  });
}

/** Adds a key to the account, to replace the one in use. Only this result contains the key itself. */
export async function createServiceAccountKey(
  deps: CommandDeps,
  asked: By<Manager>,
  { serviceAccountId, expiresAt }: { serviceAccountId: string; expiresAt: Date | undefined },
): Promise<{ row: KeyRow; key: string }> {
  const now = deps.clock.now();
  if (expiresAt && expiresAt <= now) throw Problem.badRequest('expires_at: must be in the future');

  return deps.outbox.transaction(async (trx) => {
    const account = await lockManaged(trx, asked.caller, serviceAccountId);
    const valid = await credentials.keysOfServiceAccounts(trx, [account.id], now);
    if (valid.length >= maxKeys) throw Problem.badRequest(`The service account already has ${maxKeys} keys; revoke one of them first.`);
    await record(trx, audited(asked, { action: 'service_account.key_created', target: { kind: 'service_account', id: account.id } }, now));
    return insertKey(trx, asked.caller.instanceId, account, now, expiresAt);
  });
}

export async function revokeServiceAccountKey(
  deps: CommandDeps,
  asked: By<Manager>,
  { serviceAccountId, id }: { serviceAccountId: string; id: string },
): Promise<void> {
  const { caller } = asked;
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const account = await lockManaged(trx, caller, serviceAccountId);
    const revoked = isId(id) && (await credentials.revokeKeyOfServiceAccount(trx, { id, serviceAccountId: account.id }, now));
    if (!revoked) throw Problem.notFound('key of this service account');
    await record(
      trx,
      accessChanged(caller.instanceId, { credentialIds: [id] }, now),
      audited(asked, { action: 'service_account.key_revoked', target: { kind: 'service_account', id: account.id } }, now),
    );
  });
}

/** An account that the caller may manage, locked until the end of the transaction. */
async function lockManaged(trx: Transaction, caller: Manager, id: string): Promise<ServiceAccountRow> {
  authorizeManagement(caller);
  const account = isId(id) ? await credentials.lockServiceAccount(trx, caller.instanceId, id) : undefined;
  if (!account) throw Problem.notFound('service account');
  return account;
}

async function withKeys(db: Database, accounts: readonly ServiceAccountRow[], now: Date): Promise<ServiceAccountWithKeys[]> {
  const keys = await credentials.keysOfServiceAccounts(
    db,
    accounts.map(({ id }) => id),
    now,
  );
  return accounts.map((account) => ({ ...account, keys: keys.filter(({ service_account_id }) => service_account_id === account.id) }));
}

async function insertKey(
  trx: Transaction,
  instanceId: string,
  account: ServiceAccountRow,
  now: Date,
  expiresAt?: Date,
): Promise<{ row: KeyRow; key: string }> {
  const key = newKey('service_account');
  const row: KeyRow = {
    id: newId(),
    name: account.name,
    prefix: shownPrefix(key),
    created_at: now,
    last_used_at: null,
    expires_at: expiresAt ?? null,
  };
  await credentials.insertKey(trx, {
    ...row,
    instance_id: instanceId,
    person_id: null,
    service_account_id: account.id,
    hash: fingerprint(key),
  });
  return { row, key };
}
