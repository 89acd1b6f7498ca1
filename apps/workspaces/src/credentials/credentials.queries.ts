import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { KeyRow, PrincipalRow, ServiceAccountRow, SessionRow } from '../rows';

// A person's place in an instance, as three columns: the role in it, the roles by workspace, and the default workspace.
const memberships = (person: string, instance: string) => `
  (select i.role from instance_member i where i.person_id = ${person} and i.instance_id = ${instance}) as instance_role,
  (select jsonb_object_agg(m.workspace_id, m.role) from member m where m.person_id = ${person} and m.instance_id = ${instance}) as roles,
  (select m.workspace_id from member m where m.person_id = ${person} and m.instance_id = ${instance} and m.is_default)`;

export async function principalOfKey(db: Database, instanceId: string, hash: Buffer, now: Date): Promise<PrincipalRow | undefined> {
  const [row] = await rowsOf<PrincipalRow>(
    db,
    `select k.id as credential_id, k.person_id, k.service_account_id, k.expires_at, k.last_used_at, a.scopes,
            ${memberships('k.person_id', 'k.instance_id')} as workspace_id
       from api_key k left join service_account a on a.id = k.service_account_id
      where k.hash = ? and k.instance_id = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?)
        and a.deleted_at is null`,
    [hash, instanceId, now],
  );
  return row;
}

/** The moments that decide whether a session is valid: it has not expired now, and was used since. */
export interface SessionTimes {
  now: Date;
  usedSince: Date;
}

export async function principalOfSession(
  db: Database,
  instanceId: string,
  id: string,
  { now, usedSince }: SessionTimes,
): Promise<PrincipalRow | undefined> {
  // The active workspace counts only while the person is a member of it.
  const [row] = await rowsOf<PrincipalRow>(
    db,
    `select p.*, coalesce(p.active_id, p.default_id) as workspace_id
       from (select s.id as credential_id, s.person_id, null::uuid as service_account_id, s.expires_at, s.last_used_at,
                    null::text[] as scopes, ${memberships('s.person_id', 's.instance_id')} as default_id,
                    (select m.workspace_id from member m where m.workspace_id = s.active_workspace_id and m.person_id = s.person_id) as active_id
               from session s
              where s.id = ? and s.instance_id = ? and s.ended_at is null and s.expires_at > ?
                and coalesce(s.last_used_at, s.created_at) > ?) p`,
    [id, instanceId, now, usedSince],
  );
  return row;
}

export async function touchKey(db: Database, id: string, now: Date): Promise<void> {
  await db('api_key').where({ id }).update({ last_used_at: now });
}

export async function touchSession(db: Database, id: string, now: Date): Promise<void> {
  await db('session').where({ id }).update({ last_used_at: now });
}

export async function insertSession(trx: Transaction, session: SessionRow & { active_workspace_id: string | null }): Promise<void> {
  await trx('session').insert(session);
}

export async function sessionExpiry(db: Database, id: string): Promise<Date | undefined> {
  const row = await db<{ id: string; expires_at: Date }>('session').where({ id }).first('expires_at');
  return row?.expires_at;
}

export async function setActiveWorkspace(trx: Transaction, id: string, workspaceId: string): Promise<void> {
  await trx('session').where({ id }).update({ active_workspace_id: workspaceId });
}

export async function endSession(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx('session').where({ id, ended_at: null }).update({ ended_at: now });
}

/** A page of the person's valid sessions, those used last before the others. */
export async function sessionsOf(
  db: Database,
  { instanceId, personId, now, usedSince }: { instanceId: string; personId: string } & SessionTimes,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: SessionRow[]; total: number }> {
  const rows = await rowsOf<{ total: string } & (SessionRow | { id: null })>(
    db,
    `with valid as (
       select id, instance_id, person_id, created_at, expires_at, last_used_at, user_agent, address from session
        where person_id = :person and instance_id = :instance and ended_at is null and expires_at > :now
          and coalesce(last_used_at, created_at) > :usedSince)
     select counted.total, page.*
       from (select count(*) as total from valid) as counted
       left join (select * from valid order by coalesce(last_used_at, created_at) desc, id desc limit :limit offset :offset) as page on true
      order by coalesce(page.last_used_at, page.created_at) desc, page.id desc`,
    { person: personId, instance: instanceId, now, usedSince, limit, offset },
  );
  return { rows: rows.filter((row) => row.id !== null), total: Number(rows[0]?.total ?? 0) };
}

/** @returns whether the person had such a session that was still valid. */
export async function endSessionOf(
  trx: Transaction,
  session: { id: string; instanceId: string; personId: string },
  { now, usedSince }: SessionTimes,
): Promise<boolean> {
  const count = await trx('session')
    .where({ id: session.id, instance_id: session.instanceId, person_id: session.personId, ended_at: null })
    .where('expires_at', '>', now)
    .whereRaw('coalesce(last_used_at, created_at) > ?', [usedSince])
    .update({ ended_at: now });
  return count > 0;
}

/** @returns the ids of the sessions that it ended */
export async function endOtherSessions(
  trx: Transaction,
  session: { instanceId: string; personId: string; exceptId: string },
  now: Date,
): Promise<string[]> {
  const ended = await rowsOf<{ id: string }>(
    trx,
    `update session set ended_at = :now
      where instance_id = :instance and person_id = :person and ended_at is null and id <> :except
     returning id`,
    { now, instance: session.instanceId, person: session.personId, except: session.exceptId },
  );
  return ended.map(({ id }) => id);
}

/** Deletes sessions that were ended or have expired. @returns the number of deleted rows, at most the limit. */
export async function deleteDeadSessions(db: Database, now: Date, limit: number): Promise<number> {
  const dead = `select id from session where expires_at <= :now
                union all
                select id from session where ended_at <= :now and expires_at > :now`;
  const sql = `delete from session where id in (select id from session where id in (${dead} limit cast(:limit as int)) for update skip locked) returning id`;
  return (await rowsOf(db, sql, { now, limit })).length;
}

export async function endSessionsOf(trx: Transaction, instanceId: string, personId: string, now: Date): Promise<void> {
  await trx('session').where({ instance_id: instanceId, person_id: personId, ended_at: null }).update({ ended_at: now });
}

interface NewKey extends KeyRow {
  instance_id: string;
  person_id: string | null;
  service_account_id: string | null;
  hash: Buffer;
}

export async function insertKey(trx: Transaction, key: NewKey): Promise<void> {
  await trx('api_key').insert(key);
}

export async function keysOfPerson(db: Database, instanceId: string, personId: string): Promise<KeyRow[]> {
  return rowsOf<KeyRow>(
    db,
    `select id, name, prefix, created_at, last_used_at, expires_at from api_key
      where instance_id = ? and person_id = ? and revoked_at is null
      order by created_at desc, id desc`,
    [instanceId, personId],
  );
}

/** @returns whether this person had such a key that was not revoked yet. */
export async function revokeKeyOfPerson(
  trx: Transaction,
  key: { id: string; instanceId: string; personId: string },
  now: Date,
): Promise<boolean> {
  const count = await trx('api_key')
    .where({ id: key.id, instance_id: key.instanceId, person_id: key.personId, revoked_at: null })
    .update({ revoked_at: now });
  return count > 0;
}

/** The valid keys, the oldest first. */
export async function keysOfServiceAccounts(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<(KeyRow & { service_account_id: string })[]> {
  return rowsOf(
    db,
    `select id, service_account_id, name, prefix, created_at, last_used_at, expires_at from api_key
      where service_account_id = any(?::uuid[]) and revoked_at is null and (expires_at is null or expires_at > ?)
      order by created_at, id`,
    [[...ids], now],
  );
}

/** @returns whether this account had such a key that was not revoked yet. */
export async function revokeKeyOfServiceAccount(
  trx: Transaction,
  key: { id: string; serviceAccountId: string },
  now: Date,
): Promise<boolean> {
  const count = await trx('api_key')
    .where({ id: key.id, service_account_id: key.serviceAccountId, revoked_at: null })
    .update({ revoked_at: now });
  return count > 0;
}

/** The account, locked until the end of the transaction. */
export async function lockServiceAccount(trx: Transaction, instanceId: string, id: string): Promise<ServiceAccountRow | undefined> {
  const [row] = await rowsOf<ServiceAccountRow>(
    trx,
    'select id, name, scopes, created_at from service_account where instance_id = ? and id = ? and deleted_at is null for update',
    [instanceId, id],
  );
  return row;
}

export async function updateServiceAccount(
  trx: Transaction,
  id: string,
  changes: Partial<Pick<ServiceAccountRow, 'name' | 'scopes'>>,
): Promise<void> {
  await trx('service_account').where({ id }).update(changes);
}

export async function insertServiceAccount(trx: Transaction, account: ServiceAccountRow & { instance_id: string }): Promise<void> {
  await trx('service_account').insert(account);
}

export async function serviceAccounts(db: Database, instanceId: string): Promise<ServiceAccountRow[]> {
  return rowsOf<ServiceAccountRow>(
    db,
    'select id, name, scopes, created_at from service_account where instance_id = ? and deleted_at is null order by name, id',
    [instanceId],
  );
}

export async function serviceAccount(db: Database, instanceId: string, id: string): Promise<ServiceAccountRow | undefined> {
  const [row] = await rowsOf<ServiceAccountRow>(
    db,
    'select id, name, scopes, created_at from service_account where instance_id = ? and id = ? and deleted_at is null',
    [instanceId, id],
  );
  return row;
}

/** @returns whether the account existed. */
export async function deleteServiceAccount(trx: Transaction, instanceId: string, id: string, now: Date): Promise<boolean> {
  const count = await trx('service_account').where({ id, instance_id: instanceId, deleted_at: null }).update({ deleted_at: now });
  if (count > 0) await trx('api_key').where({ service_account_id: id, revoked_at: null }).update({ revoked_at: now });
  return count > 0;
}
