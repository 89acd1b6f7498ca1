import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';

export interface InvitationRow {
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
}

export async function insertPromisedForm(trx: Transaction, promised: PromisedForm): Promise<void> {
  await trx('promised_form').insert(promised).onConflict(['instance_id', 'person_id', 'form_id']).merge(['workspace_id']);
}

export async function deletePromisedForm(trx: Transaction, { instance_id, person_id, form_id }: PromisedForm): Promise<void> {
  await trx('promised_form').where({ instance_id, person_id, form_id }).delete();
}

export async function deletePromisedForms(trx: Transaction, instanceId: string, personId: string): Promise<void> {
  await trx('promised_form').where({ instance_id: instanceId, person_id: personId }).delete();
}

/** The workspaces of the forms that were promised to the person. */
export async function workspacesOfPromisedForms(db: Database, instanceId: string, personId: string): Promise<{ workspace_id: string }[]> {
  return rowsOf(db, 'select distinct workspace_id from promised_form where instance_id = ? and person_id = ?', [instanceId, personId]);
}
