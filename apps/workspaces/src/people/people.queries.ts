import type { WorkspaceRole } from '@sheaf/kernel';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { PersonRow, WorkspaceRow } from '../rows';

export async function personById(db: Database, instanceId: string, id: string): Promise<PersonRow | undefined> {
  return db<PersonRow>('person').where({ instance_id: instanceId, id }).first();
}

/** @param email in lower case */
export async function personByEmail(db: Database, instanceId: string, email: string): Promise<PersonRow | undefined> {
  return db<PersonRow>('person').where({ instance_id: instanceId, email }).first();
}

/** Only people with a membership in the instance or a role in it; others count as unknown. */
export async function memberByEmail(db: Database, instanceId: string, email: string): Promise<PersonRow | undefined> {
  const [row] = await rowsOf<PersonRow>(
    db,
    `select * from person p
      where instance_id = ? and email = ?
        and (exists (select from member m where m.person_id = p.id and m.instance_id = p.instance_id)
             or exists (select from instance_member i where i.person_id = p.id and i.instance_id = p.instance_id))`,
    [instanceId, email],
  );
  return row;
}

/** `roles`: by workspace id. */
export type FoundPersonRow = Pick<PersonRow, 'id' | 'name' | 'email'> & { roles: Record<string, WorkspaceRole> };

/** The people with these ids and a membership in the instance. */
export async function membersAmong(db: Database, instanceId: string, ids: readonly string[]): Promise<FoundPersonRow[]> {
  return rowsOf(
    db,
    `select p.id, p.name, p.email, jsonb_object_agg(m.workspace_id, m.role) as roles
       from person p join member m on m.person_id = p.id and m.instance_id = p.instance_id
      where p.instance_id = ? and p.id = any(?::uuid[]) group by p.id, p.name, p.email`,
    [instanceId, [...ids]],
  );
}

/** Finds or inserts the person with this address in the instance, and locks their row. Concurrent calls get the same person. */
export async function ensurePerson(trx: Transaction, person: PersonRow): Promise<PersonRow> {
  await trx('person').insert(person).onConflict(['instance_id', 'email']).ignore();
  const [row] = await trx<PersonRow>('person').where({ instance_id: person.instance_id, email: person.email }).forUpdate();
  if (!row) throw new Error('the inserted person was not found');
  return row;
}

/** The person, locked until the end of the transaction; other transactions may still insert rows that reference them. */
export async function lockPerson(trx: Transaction, instanceId: string, id: string): Promise<PersonRow | undefined> {
  return trx<PersonRow>('person').where({ instance_id: instanceId, id }).forNoKeyUpdate().first();
}

export async function updatePerson(
  trx: Transaction,
  instanceId: string,
  id: string,
  changes: Partial<Pick<PersonRow, 'name' | 'avatar_url' | 'password_hash'>>,
): Promise<void> {
  await trx('person').where({ instance_id: instanceId, id }).update(changes);
}

export async function rememberFirstSignIn(trx: Transaction, instanceId: string, id: string, now: Date): Promise<void> {
  await trx('person').where({ instance_id: instanceId, id, first_signed_in_at: null }).update({ first_signed_in_at: now });
}

export async function defaultWorkspaceOf(db: Database, instanceId: string, personId: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ workspace_id: string }>(
    db,
    'select workspace_id from member where person_id = ? and instance_id = ? and is_default',
    [personId, instanceId],
  );
  return row?.workspace_id;
}

/** The person's row must be locked. @returns false if they are not a member of the workspace. */
export async function setDefaultWorkspace(
  trx: Transaction,
  member: { workspaceId: string; instanceId: string; personId: string },
): Promise<boolean> {
  // Two statements, because the unique index on the default is checked row by row.
  await trx('member').where({ person_id: member.personId, instance_id: member.instanceId, is_default: true }).update({ is_default: false });
  const count = await trx('member')
    .where({ workspace_id: member.workspaceId, instance_id: member.instanceId, person_id: member.personId })
    .update({ is_default: true });
  return count > 0;
}

/** The person's roles in all workspaces of the instance. */
export async function rolesOf(
  db: Database,
  instanceId: string,
  personId: string,
): Promise<{ workspace_id: string; role: WorkspaceRole }[]> {
  return rowsOf(db, 'select workspace_id, role from member where instance_id = ? and person_id = ?', [instanceId, personId]);
}

/** The roles of several people in all workspaces of the instance. */
export async function membershipsOf(
  db: Database,
  instanceId: string,
  personIds: readonly string[],
): Promise<{ person_id: string; workspace_id: string; role: WorkspaceRole }[]> {
  return rowsOf(db, 'select person_id, workspace_id, role from member where instance_id = ? and person_id = any(?::uuid[])', [
    instanceId,
    [...personIds],
  ]);
}

export async function workspacesOf(db: Database, instanceId: string, personId: string): Promise<WorkspaceRow[]> {
  return rowsOf<WorkspaceRow>(
    db,
    `select w.id, w.name, w.color, m.role, w.created_at, w.updated_at
       from workspace w join member m on m.workspace_id = w.id
      where m.person_id = ? and m.instance_id = ?
      order by w.name, w.id`,
    [personId, instanceId],
  );
}

export async function workspaceExists(db: Database, instanceId: string, id: string): Promise<boolean> {
  return (await rowsOf(db, 'select from workspace where id = ? and instance_id = ?', [id, instanceId])).length > 0;
}

export interface MemberRow extends Pick<PersonRow, 'id' | 'name' | 'email' | 'avatar_url'> {
  role: WorkspaceRole;
  created_at: Date;
}

export async function membersOf(db: Database, instanceId: string, workspaceId: string): Promise<MemberRow[]> {
  return rowsOf<MemberRow>(
    db,
    `select p.id, p.name, p.email, p.avatar_url, m.role, m.created_at
       from member m join person p on p.id = m.person_id
      where m.workspace_id = ? and m.instance_id = ?
      order by p.name, p.id`,
    [workspaceId, instanceId],
  );
}

export interface NewMember {
  workspace_id: string;
  instance_id: string;
  person_id: string;
  role: WorkspaceRole;
  created_at: Date;
}

/** A person's first workspace in an instance becomes their default. The person's row must be locked. */
export async function insertMember(trx: Transaction, member: NewMember): Promise<void> {
  const others = await rowsOf(trx, 'select from member where person_id = ? and instance_id = ? and is_default', [
    member.person_id,
    member.instance_id,
  ]);
  await trx('member').insert({ ...member, is_default: others.length === 0 });
}

/** The facts about a member that decide who may change their role. */
export interface LockedMember {
  person_id: string;
  role: WorkspaceRole;
  created_at: Date;
  /** False until they have accepted their invitation. */
  can_sign_in: boolean;
}

/** All owners of a workspace and this member, locked, so that two owners cannot remove each other at the same time. */
export async function lockOwnersAndMember(trx: Transaction, workspaceId: string, personId: string): Promise<LockedMember[]> {
  return rowsOf(
    trx,
    `select m.person_id, m.role, m.created_at, p.password_hash is not null as can_sign_in
       from member m join person p on p.id = m.person_id
      where m.workspace_id = ? and (m.role = 'owner' or m.person_id = ?)
      order by m.person_id for update of m`,
    [workspaceId, personId],
  );
}

export async function setRole(trx: Transaction, member: { workspaceId: string; personId: string; role: WorkspaceRole }): Promise<void> {
  await trx('member').where({ workspace_id: member.workspaceId, person_id: member.personId }).update({ role: member.role });
}

/** If this was their default workspace, their oldest membership becomes the default. The person's row must be locked. */
export async function deleteMember(
  trx: Transaction,
  member: { workspace_id: string; instance_id: string; person_id: string },
): Promise<void> {
  const [removed] = await trx('member').where(member).delete<{ is_default: boolean }[]>(['is_default']);
  if (!removed?.is_default) return;
  await trx.raw(
    `update member set is_default = true
      where (workspace_id, person_id) in (
        select workspace_id, person_id from member where person_id = ? and instance_id = ? order by created_at, workspace_id limit 1)`,
    [member.person_id, member.instance_id],
  );
}

export async function instanceByHost(db: Database, host: { customDomain: string; slug: string | undefined }): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string }>(
    db,
    `select id from instance where custom_domain = ?
     union all
     select instance_id from workspace where slug = ?
     limit 1`,
    [host.customDomain, host.slug ?? ''],
  );
  return row?.id;
}

export async function onlyInstance(db: Database): Promise<{ id: string; custom_domain: string | null } | undefined> {
  return db<{ id: string; custom_domain: string | null }>('instance').orderBy('created_at').first('id', 'custom_domain');
}
