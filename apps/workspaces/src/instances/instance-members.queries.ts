import type { InstanceRole } from '@sheaf/kernel';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { PersonRow } from '../rows';

/** A person who runs an instance. */
export interface InstanceMemberRow extends Pick<PersonRow, 'id' | 'name' | 'email' | 'avatar_url'> {
  role: InstanceRole;
  created_at: Date;
}

export const instanceMembers = (db: Database, instanceId: string): Promise<InstanceMemberRow[]> =>
  rowsOf<InstanceMemberRow>(
    db,
    `select p.id, p.name, p.email, p.avatar_url, i.role, i.created_at
       from instance_member i join person p on p.instance_id = i.instance_id and p.id = i.person_id
      where i.instance_id = ?
      order by p.name, p.id`,
    [instanceId],
  );

export async function countInstanceMembers(db: Database, instanceId: string): Promise<number> {
  const [row] = await rowsOf<{ count: string }>(db, 'select count(*) from instance_member where instance_id = ?', [instanceId]);
  return Number(row?.count ?? 0);
}

/** The roles of some people in the instance, by their ids. Most have none. */
export async function instanceRolesOf(db: Database, instanceId: string, personIds: readonly string[]): Promise<Map<string, InstanceRole>> {
  const rows = await rowsOf<{ person_id: string; role: InstanceRole }>(
    db,
    'select person_id, role from instance_member where instance_id = ? and person_id = any(?::uuid[])',
    [instanceId, [...personIds]],
  );
  return new Map(rows.map(({ person_id, role }) => [person_id, role]));
}

export async function instanceRoleOf(db: Database, instanceId: string, personId: string): Promise<InstanceRole | undefined> {
  return (await instanceRolesOf(db, instanceId, [personId])).get(personId);
}

/** The facts about somebody who runs an instance that decide who may change their role. */
export interface LockedInstanceMember {
  person_id: string;
  role: InstanceRole;
  created_at: Date;
  can_sign_in: boolean;
}

/** All owners of the instance and this person, locked, so that two owners cannot remove each other at the same time. */
export const lockInstanceOwnersAnd = (trx: Transaction, instanceId: string, personId: string): Promise<LockedInstanceMember[]> =>
  rowsOf<LockedInstanceMember>(
    trx,
    `select i.person_id, i.role, i.created_at, p.password_hash is not null as can_sign_in
       from instance_member i join person p on p.instance_id = i.instance_id and p.id = i.person_id
      where i.instance_id = ? and (i.role = 'owner' or i.person_id = ?)
      order by i.person_id for update of i`,
    [instanceId, personId],
  );

export async function saveInstanceMember(
  trx: Transaction,
  member: { instance_id: string; person_id: string; role: InstanceRole; created_at: Date },
): Promise<void> {
  await trx('instance_member').insert(member).onConflict(['instance_id', 'person_id']).merge(['role']);
}

export async function deleteInstanceMember(trx: Transaction, member: { instance_id: string; person_id: string }): Promise<void> {
  await trx('instance_member').where(member).delete();
}
