import type { WorkspaceRole } from '@sheaf/kernel';
import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { PersonRow } from '../rows';

/** The person, locked so that nothing that refers to them can be inserted either. */
export async function lockPersonToErase(trx: Transaction, instanceId: string, id: string): Promise<PersonRow | undefined> {
  return trx<PersonRow>('person').where({ instance_id: instanceId, id }).forUpdate().first();
}

export interface HeldMembership {
  workspace_id: string;
  /** The name of the workspace. */
  name: string;
  role: WorkspaceRole;
  /** Owners who have not accepted their invitation do not count as remaining owners. */
  is_last_owner: boolean;
}

/** The person's memberships. They and all owners of the workspaces are locked, so that two owners cannot be erased at the same time. */
export async function lockMemberships(trx: Transaction, instanceId: string, personId: string): Promise<HeldMembership[]> {
  const rows = await rowsOf<{ workspace_id: string; name: string; person_id: string; role: WorkspaceRole; can_sign_in: boolean }>(
    trx,
    `select m.workspace_id, w.name, m.person_id, m.role, p.password_hash is not null as can_sign_in
       from member own
       join member m on m.workspace_id = own.workspace_id and (m.role = 'owner' or m.person_id = own.person_id)
       join person p on p.id = m.person_id and p.instance_id = m.instance_id
       join workspace w on w.id = m.workspace_id
      where own.person_id = :person and own.instance_id = :instance
      order by m.workspace_id, m.person_id for update of m`,
    { person: personId, instance: instanceId },
  );
  const others = rows.filter(({ person_id, role, can_sign_in }) => person_id !== personId && role === 'owner' && can_sign_in);
  return rows
    .filter(({ person_id }) => person_id === personId)
    .map(({ workspace_id, name, role }) => ({
      workspace_id,
      name,
      role,
      is_last_owner: role === 'owner' && !others.some((other) => other.workspace_id === workspace_id),
    }));
}

/** Deletes a locked person with everything that refers to them. */
export async function deletePerson(trx: Transaction, { id, instance_id }: PersonRow): Promise<void> {
  for (const table of ['session', 'api_key', 'invitation', 'promised_form', 'member']) {
    await trx(table).where({ person_id: id, instance_id }).delete();
  }
  await trx('person').where({ id, instance_id }).delete();
}

export interface ErasedPerson {
  instance_id: string;
  person_id: string;
  erasure_id: string;
  erased_at: Date;
}

/** A person may have been erased before, and restored from a backup. */
export async function insertErased(trx: Transaction, erased: ErasedPerson): Promise<void> {
  await trx('erased_person')
    .insert({ ...erased, entries: 0, finished_at: null })
    .onConflict(['instance_id', 'person_id'])
    .merge();
}

/** The people whose addresses may still be in the audit log, those erased first before the others. */
export const openErased = (db: Database, limit: number): Promise<ErasedPerson[]> =>
  rowsOf<ErasedPerson>(
    db,
    'select instance_id, person_id, erasure_id, erased_at from erased_person where finished_at is null order by erased_at limit ?',
    [limit],
  );

/** @returns undefined if another process has the row or has finished with it. */
export async function lockErased(
  trx: Transaction,
  { instance_id, person_id }: ErasedPerson,
): Promise<(ErasedPerson & { entries: number }) | undefined> {
  return trx<ErasedPerson & { entries: number; finished_at: Date | null }>('erased_person')
    .where({ instance_id, person_id, finished_at: null })
    .forUpdate()
    .skipLocked()
    .first();
}

export async function saveErased(
  trx: Transaction,
  { instance_id, person_id }: ErasedPerson,
  changes: { entries: number; finished_at: Date | null },
): Promise<void> {
  await trx('erased_person').where({ instance_id, person_id }).update(changes);
}
