import { audited, record } from '@sheaf/events';
import { isId, newId, Problem, type User } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { accessChanged } from '../people/access-changed';
import * as credentials from './credentials.queries';
import type { By, CommandDeps, Deps } from '../deps';
import { fingerprint, newKey, shownPrefix } from './key';
import type { Manager } from '../members/manager';
import type { KeyRow } from '../rows';

/** Creates a key that acts as the caller. Only this result contains the key itself. */
export const createApiKey = (
  deps: Deps,
  asked: Asked<User>,
  wanted: { name: string; expiresAt: Date | undefined },
): Promise<{ row: KeyRow; key: string }> => createPersonKey(deps, asked, asked.caller.id, wanted);

/** Creates a key for a person in the caller's instance. */
export async function createPersonKey(
  deps: CommandDeps,
  asked: By<Manager>,
  personId: string,
  wanted: { name: string; expiresAt: Date | undefined },
): Promise<{ row: KeyRow; key: string }> {
  const { caller } = asked;
  const now = deps.clock.now();
  if (wanted.expiresAt && wanted.expiresAt <= now) throw Problem.badRequest('expires_at: must be in the future');

  const key = newKey('user');
  const row: KeyRow = {
    id: newId(),
    name: wanted.name,
    prefix: shownPrefix(key),
    created_at: now,
    last_used_at: null,
    expires_at: wanted.expiresAt ?? null,
  };
  await deps.outbox.transaction(async (trx) => {
    await credentials.insertKey(trx, {
      ...row,
      instance_id: caller.instanceId,
      person_id: personId,
      service_account_id: null,
      hash: fingerprint(key),
    });
    await record(trx, audited(asked, { action: 'api_key.created', target: { kind: 'api_key', id: row.id } }, now));
  });
  return { row, key };
}

export const listApiKeys = ({ db }: Deps, caller: User): Promise<KeyRow[]> => credentials.keysOfPerson(db, caller.instanceId, caller.id);

/** Revokes one of the caller's own keys, immediately and permanently. */
export const revokeApiKey = (deps: Deps, asked: Asked<User>, { id }: { id: string }): Promise<void> =>
  revokePersonKey(deps, asked, asked.caller.id, id);

/** Revokes a key of a person in the caller's instance. */
export async function revokePersonKey(deps: CommandDeps, asked: By<Manager>, personId: string, id: string): Promise<void> {
  const { caller } = asked;
  if (!isId(id)) throw Problem.notFound('API key');
  const now = deps.clock.now();
  await deps.outbox.transaction(async (trx) => {
    const revoked = await credentials.revokeKeyOfPerson(trx, { id, instanceId: caller.instanceId, personId }, now);
    if (!revoked) throw Problem.notFound('API key');
    await record(
      trx,
      accessChanged(caller.instanceId, { credentialIds: [id] }, now),
      audited(asked, { action: 'api_key.revoked', target: { kind: 'api_key', id } }, now),
    );
  });
}
