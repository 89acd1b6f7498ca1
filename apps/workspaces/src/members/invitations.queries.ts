import type { FormRole, WorkspaceRole } from '@sheaf/kernel';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface InvitationRow {
  id: string;
  token_hash: Buffer;
  instance_id: string;
  person_id: string;
  expires_at: Date;
  created_at: Date;
  /** Null for invitations from older versions. */
  inviter_kind: 'user' | 'operator' | null;
  /** Null for the operator. */
  inviter_id: string | null;
}

export async function insertInvitation(trx: Transaction, invitation: InvitationRow): Promise<void> {
  await trx('invitation').insert(invitation);
}

export async function invitationOf(db: Database, instanceId: string, hash: Buffer, now: Date): Promise<InvitationRow | undefined> {
  const [row] = await rowsOf<InvitationRow>(db, 'select * from invitation where token_hash = ? and instance_id = ? and expires_at > ?', [
    hash,
    instanceId,
    now,
  ]);
  return row;
}

/** An invitation with the person it is for and its sender. */
export interface ShownInvitationRow extends InvitationRow {
  email: string;
  name: string;
  role: WorkspaceRole;
  /** Null for the operator, and for a sender who has been erased. */
  inviter_name: string | null;
}

/** The invitations of the members of a workspace that have not expired, the newest first. */
export async function invitationsIn(db: Database, instanceId: string, workspaceId: string, now: Date): Promise<ShownInvitationRow[]> {
  return rowsOf<ShownInvitationRow>(
    db,
    `select i.*, p.email, p.name, m.role, inviter.name as inviter_name
       from member m
       join invitation i on i.person_id = m.person_id and i.instance_id = m.instance_id
       join person p on p.id = i.person_id and p.instance_id = i.instance_id
       left join person inviter on inviter.id = i.inviter_id and inviter.instance_id = i.instance_id
      where m.workspace_id = ? and m.instance_id = ? and i.expires_at > ?
      order by i.created_at desc, i.id desc`,
    [workspaceId, instanceId, now],
  );
}

/** One of these. */
export async function invitationIn(
  db: Database,
  { instanceId, workspaceId, id }: { instanceId: string; workspaceId: string; id: string },
  now: Date,
): Promise<InvitationRow | undefined> {
  const [row] = await rowsOf<InvitationRow>(
    db,
    `select i.* from invitation i join member m on m.person_id = i.person_id and m.instance_id = i.instance_id
      where i.id = ? and i.instance_id = ? and m.workspace_id = ? and i.expires_at > ?`,
    [id, instanceId, workspaceId, now],
  );
  return row;
}

/** The facts that the invited person sees: themselves, their default workspace and the sender. */
export type SeenInvitationRow = Pick<ShownInvitationRow, 'email' | 'name' | 'role' | 'inviter_name' | 'expires_at'> & {
  workspace_name: string;
};

export async function seenInvitation(db: Database, hash: Buffer): Promise<SeenInvitationRow | undefined> {
  const [row] = await rowsOf<SeenInvitationRow>(
    db,
    `select p.email, p.name, m.role, w.name as workspace_name, inviter.name as inviter_name, i.expires_at
       from invitation i
       join person p on p.id = i.person_id and p.instance_id = i.instance_id
       join member m on m.person_id = i.person_id and m.instance_id = i.instance_id and m.is_default
       join workspace w on w.id = m.workspace_id
       left join person inviter on inviter.id = i.inviter_id and inviter.instance_id = i.instance_id
      where i.token_hash = ?`,
    [hash],
  );
  return row;
}

/** The invitations that have not expired. */
export async function invitationsTo(db: Database, instanceId: string, personId: string, now: Date): Promise<InvitationRow[]> {
  return rowsOf<InvitationRow>(db, 'select * from invitation where person_id = ? and instance_id = ? and expires_at > ?', [
    personId,
    instanceId,
    now,
  ]);
}

export async function deleteInvitation(trx: Transaction, hash: Buffer): Promise<void> {
  await trx('invitation').where({ token_hash: hash }).delete();
}

export async function deleteInvitations(trx: Transaction, instanceId: string, personId: string): Promise<void> {
  await trx('invitation').where({ instance_id: instanceId, person_id: personId }).delete();
}

/** @returns the number of deleted rows, at most the limit. */
export async function deleteExpiredInvitations(db: Database, now: Date, limit: number): Promise<number> {
  const sql =
    'delete from invitation where token_hash in (select token_hash from invitation where expires_at <= ? limit ? for update skip locked) returning token_hash';
  return (await rowsOf(db, sql, [now, limit])).length;
}

export interface PromisedForm {
  instance_id: string;
  person_id: string;
  form_id: string;
  workspace_id: string;
  role: FormRole;
}

export async function savePromisedForm(trx: Transaction, promised: PromisedForm): Promise<void> {
  await trx('promised_form').insert(promised).onConflict(['instance_id', 'person_id', 'form_id']).merge(['workspace_id', 'role']);
}

export async function deletePromisedForm(
  trx: Transaction,
  form: Pick<PromisedForm, 'instance_id' | 'person_id' | 'form_id'>,
): Promise<void> {
  await trx('promised_form').where(form).delete();
}

export async function deletePromisedForms(trx: Transaction, instanceId: string, personId: string): Promise<void> {
  await trx('promised_form').where({ instance_id: instanceId, person_id: personId }).delete();
}

/** The roles on forms that were promised to these people, by workspace. */
export async function promisedRoles(
  db: Database,
  instanceId: string,
  personIds: readonly string[],
): Promise<Pick<PromisedForm, 'person_id' | 'workspace_id' | 'role'>[]> {
  return rowsOf(
    db,
    'select distinct person_id, workspace_id, role from promised_form where instance_id = ? and person_id = any(?::uuid[])',
    [instanceId, [...personIds]],
  );
}
