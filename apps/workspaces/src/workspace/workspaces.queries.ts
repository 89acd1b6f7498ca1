import type { Database, Transaction } from '@sheaf/postgres';

export interface WorkspaceRecord {
  id: string;
  instance_id: string;
  name: string;
  slug: string;
  color: string;
  created_at: Date;
  updated_at: Date;
}

/** @returns false if the slug is taken. */
export async function insertWorkspace(trx: Transaction, workspace: WorkspaceRecord): Promise<boolean> {
  const inserted = await trx('workspace').insert(workspace).onConflict('slug').ignore().returning('id');
  return inserted.length > 0;
}

/** Removes a workspace that this transaction has inserted and nothing refers to yet. */
export async function removeWorkspace(trx: Transaction, id: string): Promise<void> {
  await trx('workspace').where({ id }).delete();
}

/** The workspace, locked until the end of the transaction. */
export async function lockWorkspace(trx: Transaction, instanceId: string, id: string): Promise<WorkspaceRecord | undefined> {
  return trx<WorkspaceRecord>('workspace').where({ id, instance_id: instanceId }).forNoKeyUpdate().first();
}

export async function updateWorkspace(
  db: Database,
  id: string,
  changes: Partial<Pick<WorkspaceRecord, 'name' | 'slug' | 'color'>> & Pick<WorkspaceRecord, 'updated_at'>,
): Promise<void> {
  await db('workspace').where({ id }).update(changes);
}

/** The ids of all workspaces of an instance. */
export async function workspaceIdsOf(db: Database, instanceId: string): Promise<string[]> {
  const rows = await db<WorkspaceRecord>('workspace').where({ instance_id: instanceId }).select('id');
  return rows.map(({ id }) => id);
}
