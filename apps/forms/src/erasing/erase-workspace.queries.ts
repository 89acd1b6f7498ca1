import { rowsOf, type Database, type Transaction } from '@sheaf/postgres';
import type { FormRow } from '../rows';

export interface ErasedWorkspace {
  workspace_id: string;
  instance_id: string;
  erasure_id: string;
  erased_at: Date;
}

export interface OpenWorkspace extends ErasedWorkspace {
  forms: number;
  confirmed_at: Date | null;
}

export async function insertErased(db: Database, erased: ErasedWorkspace): Promise<void> {
  await db('erased_workspace')
    .insert({ ...erased, forms: 0, confirmed_at: null, closed_at: null })
    .onConflict('workspace_id')
    .ignore();
}

/** The workspaces after the given id, in id order. */
export async function openWorkspaces(db: Database, after: string | undefined, limit: number): Promise<string[]> {
  const rows = await rowsOf<{ workspace_id: string }>(
    db,
    `select workspace_id from erased_workspace where closed_at is null and workspace_id > cast(? as uuid) order by workspace_id limit ?`,
    [after ?? '00000000-0000-0000-0000-000000000000', limit],
  );
  return rows.map(({ workspace_id }) => workspace_id);
}

/** @returns undefined if another process has the row or has closed it. */
export async function lockOpen(trx: Transaction, workspaceId: string): Promise<OpenWorkspace | undefined> {
  const [row] = await rowsOf<OpenWorkspace>(
    trx,
    'select * from erased_workspace where workspace_id = ? and closed_at is null for update skip locked',
    [workspaceId],
  );
  return row;
}

export async function saveOpen(
  trx: Transaction,
  workspaceId: string,
  changes: { forms: number; confirmed_at: Date | null; closed_at: Date | null },
): Promise<void> {
  await trx('erased_workspace').where({ workspace_id: workspaceId }).update(changes);
}

const held = 'exists (select from form_keeping k where k.form_id = f.id and k.legal_hold)';

/** Some forms of the workspace that are under no legal hold, locked. A form that a request has locked is left for the next round. */
export const lockFormsIn = (trx: Transaction, { instance_id, workspace_id }: ErasedWorkspace, limit: number): Promise<FormRow[]> =>
  rowsOf<FormRow>(
    trx,
    `select f.* from form f where f.workspace_id = ? and f.instance_id = ? and not ${held} limit ? for update of f skip locked`,
    [workspace_id, instance_id, limit],
  );

export async function hasForms(trx: Transaction, { instance_id, workspace_id }: ErasedWorkspace): Promise<boolean> {
  return (await rowsOf(trx, 'select from form where workspace_id = ? and instance_id = ? limit 1', [workspace_id, instance_id])).length > 0;
}

/** A form of the workspace that is under legal hold. */
export async function heldFormIn(db: Database, instanceId: string, workspaceId: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string }>(
    db,
    `select f.id from form f where f.workspace_id = ? and f.instance_id = ? and ${held} limit 1`,
    [workspaceId, instanceId],
  );
  return row?.id;
}
