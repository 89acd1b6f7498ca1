import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { WorkspaceRecord } from './workspaces.queries';

/** Until the end of the transaction, no other workspace of the instance can be erased. */
export async function lockInstance(trx: Transaction, id: string): Promise<void> {
  await rowsOf(trx, 'select from instance where id = ? for no key update', [id]);
}

/** The workspace, locked so that nothing that belongs to it can be inserted either. */
export async function lockWorkspaceToErase(trx: Transaction, instanceId: string, id: string): Promise<WorkspaceRecord | undefined> {
  return trx<WorkspaceRecord>('workspace').where({ id, instance_id: instanceId }).forUpdate().first();
}

export async function hasOtherWorkspace(trx: Transaction, { id, instance_id }: WorkspaceRecord): Promise<boolean> {
  return (await rowsOf(trx, 'select from workspace where instance_id = ? and id <> ? limit 1', [instance_id, id])).length > 0;
}

/** The members of the workspace, with their rows locked. @returns their ids. */
export async function lockPeopleOf(trx: Transaction, { id, instance_id }: WorkspaceRecord): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    trx,
    `select id from person
      where instance_id = :instance and id in (select person_id from member where workspace_id = :workspace)
      order by id for no key update`,
    { instance: instance_id, workspace: id },
  );
  return rows.map((row) => row.id);
}

/**
 * Deletes a locked workspace with its folders and memberships. Members whose default it was get their oldest other membership as the default;
 * the invitations of people without another one end.
 */
export async function deleteWorkspace(
  trx: Transaction,
  { id, instance_id }: WorkspaceRecord,
  people: readonly string[],
): Promise<{ members: number; folders: number }> {
  const members = await trx('member').where({ workspace_id: id }).delete();
  const bindings = { instance: instance_id, people: [...people] };
  await rowsOf(
    trx,
    `update member set is_default = true where (workspace_id, person_id) in (
       select distinct on (person_id) workspace_id, person_id from member m
        where instance_id = :instance and person_id = any(cast(:people as uuid[]))
          and not exists (select from member d where d.person_id = m.person_id and d.instance_id = m.instance_id and d.is_default)
        order by person_id, created_at, workspace_id)`,
    bindings,
  );
  await rowsOf(
    trx,
    `delete from invitation where instance_id = :instance and person_id = any(cast(:people as uuid[]))
        and not exists (select from member m where m.person_id = invitation.person_id and m.instance_id = invitation.instance_id)`,
    bindings,
  );
  await trx('promised_form').where({ workspace_id: id }).delete();
  await trx('session').where({ active_workspace_id: id }).update({ active_workspace_id: null });
  const folders = await trx('folder').where({ workspace_id: id }).delete();
  await trx('workspace').where({ id }).delete();
  return { members, folders };
}

export async function insertErasedWorkspace(trx: Transaction, erased: { id: string; instance_id: string; erased_at: Date }): Promise<void> {
  await trx('erased_workspace').insert(erased).onConflict('id').ignore();
}

/** The workspaces of an instance that were erased last. */
export async function erasedWorkspaces(db: Database, instanceId: string, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(db, 'select id from erased_workspace where instance_id = ? order by erased_at desc limit ?', [
    instanceId,
    limit,
  ]);
  return rows.map(({ id }) => id);
}
